#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One script from the modules of Vega in DIR (Debian: libjs-vega), on stdout.
# Modules of maps, trees, clouds of words and the like are left out.
# usage: bundle.sh DIR
set -eu
dir=$1
modules="util time format loader dataflow statistics scale canvas scenegraph
	expression interpreter selection functions event-selector encode
	transforms view-transforms runtime parser view"

cat <<'JS'
/*! Vega, with modules of D3. BSD-3-Clause and ISC: see the page's licences. */
var vega = (function () {
	"use strict";
	var define = {}, known = {};
	function need(name) {
		var module;
		if (!known[name]) {
			module = known[name] = { exports: {} };
			define[name](module.exports, module, need);
		}
		return known[name].exports;
	}
JS
for module in $modules; do
	file=$dir/vega-$module.min.js
	name=vega-$module
	# Its file is called otherwise.
	[ "$module" != selection ] || name=vega-selections
	if grep -qi '</script\|<!--' "$file"; then
		echo "bundle.sh: $file cannot stand in a page" >&2
		exit 1
	fi
	echo "define[\"$name\"] = function (exports, module, require) {"
	sed '/^\/\/# sourceMappingURL/d' "$file"
	echo "};"
done
cat <<'JS'
	need("vega-util").extend(need("vega-dataflow").transforms,
		need("vega-transforms"), need("vega-view-transforms"),
		need("vega-encode"));
	return {
		View: need("vega-view").View,
		parse: need("vega-parser").parse,
		interpreter: need("vega-interpreter").expressionInterpreter
	};
}());
JS
