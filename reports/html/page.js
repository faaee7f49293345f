// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting, filtering and drawing.  All of the page can be read without it.
(function () {
"use strict";

function all(selector, root) {
	return Array.prototype.slice.call(
		(root || document).querySelectorAll(selector));
}

function json(id) {
	var element = document.getElementById(id);

	return element ? JSON.parse(element.textContent) : null;
}

// ---- sorting ----

function key(cell) {
	var text = cell.dataset.v === undefined ? cell.textContent.trim()
						: cell.dataset.v;
	var number = Number(text.replace(/,/g, ""));

	if (cell.dataset.v !== undefined || (text !== "" && !isNaN(number)))
		return isNaN(number) ? null : number;
	return text === "" ? null : text;
}

// What has no key stays last, whichever way the others are sorted.
function compare(a, b, sign) {
	if (a === null || b === null)
		return (a === null) - (b === null);
	if (typeof a === "number" && typeof b === "number")
		return sign * (a - b);
	return sign * String(a).localeCompare(String(b), "en",
		{ numeric: true });
}

function sortBy(table, column, direction) {
	var sign = direction === "descending" ? -1 : 1;
	var body = table.tBodies[0];
	var rows = all("tr", body).map(function (row, i) {
		return { row: row, key: key(row.cells[column]), i: i };
	});

	rows.sort(function (a, b) {
		return compare(a.key, b.key, sign) || a.i - b.i;
	});
	rows.forEach(function (r) { body.appendChild(r.row); });
	all("thead th", table).forEach(function (th, i) {
		if (i === column)
			th.setAttribute("aria-sort", direction);
		else
			th.removeAttribute("aria-sort");
	});
}

function makeSortable(table) {
	all("thead th", table).forEach(function (th, i) {
		var button = document.createElement("button");

		button.type = "button";
		while (th.firstChild)
			button.appendChild(th.firstChild);
		th.appendChild(button);
		button.addEventListener("click", function () {
			sortBy(table, i,
				th.getAttribute("aria-sort") === "ascending"
					? "descending" : "ascending");
		});
	});
}

// ---- filtering ----

function matches(element, text, verdict, primary) {
	var data = element.dataset;
	var changed = ["better", "worse", "different"];

	if (text && data.name.toLowerCase().indexOf(text) < 0)
		return false;
	if (primary && data.primary === undefined)
		return false;
	if (verdict === "changed")
		return changed.indexOf(data.class) >= 0;
	return !verdict || data.class === verdict;
}

function filter() {
	var text = document.getElementById("f-text").value.trim().toLowerCase();
	var verdict = document.getElementById("f-verdict").value;
	var primary = document.getElementById("f-primary").checked;
	var shown = 0, rows = all("tr.row");

	rows.concat(all("details.metric")).forEach(function (element) {
		element.hidden = !matches(element, text, verdict, primary);
	});
	rows.forEach(function (row) { shown += !row.hidden; });
	document.getElementById("f-count").textContent =
		shown + " of " + rows.length + " rows";
}

function makeFilter() {
	var form = document.getElementById("filter");

	form.hidden = false;
	form.addEventListener("input", filter);
	form.addEventListener("submit", function (event) {
		event.preventDefault();
	});
	filter();
}

// ---- a place in the page: #m0-3, or #q=wait&verdict=changed&sort=... ----

function openAround(element) {
	for (; element; element = element.parentElement)
		if (element.tagName === "DETAILS")
			element.open = true;
}

// "t0v1-table.5.descending"
function sortAs(text) {
	var parts = text.split(".");
	var table = document.getElementById(parts[0]);

	if (table && table.tHead.rows[0].cells[Number(parts[1])])
		sortBy(table, Number(parts[1]),
			parts[2] === "descending" ? "descending" : "ascending");
}

function follow() {
	var hash = location.hash.slice(1);
	var wanted, element;

	if (hash.indexOf("=") < 0) {
		element = document.getElementById(hash);
		openAround(element);
		if (element)
			element.scrollIntoView();
		return;
	}
	wanted = new URLSearchParams(hash);
	document.getElementById("f-text").value = wanted.get("q") || "";
	document.getElementById("f-verdict").value =
		wanted.get("verdict") || "";
	document.getElementById("f-primary").checked = wanted.has("primary");
	filter();
	wanted.getAll("sort").forEach(sortAs);
	wanted.getAll("open").forEach(function (id) {
		openAround(document.getElementById(id));
	});
}

// ---- charts ----

var data = json("data");
var dark = window.matchMedia("(prefers-color-scheme: dark)");

// The page's colours are the charts', too.
function theme() {
	var style = getComputedStyle(document.documentElement);
	var names = ["ink", "paper", "grid", "band", "skin", "better", "worse",
		"different", "equivalent", "unknown", "none"];
	var colours = { variants: [] };

	names.forEach(function (name) {
		colours[name] = style.getPropertyValue("--" + name).trim();
	});
	for (var i = 0; i < 6; i++)
		colours.variants.push(style.getPropertyValue("--v" + i).trim());
	return colours;
}

function config(colours) {
	return {
		background: null,
		font: "system-ui, sans-serif",
		axis: { labelColor: colours.ink, titleColor: colours.ink,
			gridColor: colours.grid, domainColor: colours.ink,
			tickColor: colours.ink, titleFontWeight: "normal" },
		legend: { labelColor: colours.ink, titleColor: colours.ink }
	};
}

function numbers(text) {
	return text === "" ? [] : text.split(" ").map(function (n) {
		return n === "-" ? null : Number(n);
	});
}

// Lists of numbers are text until somebody looks at them.
function column(object, name) {
	if (typeof object[name] === "string")
		object[name] = numbers(object[name]);
	return object[name];
}

function titled(row) {
	return (row.group + " " + row.label).trim() +
		(row.unit ? " [" + row.unit + "]" : "");
}

// One datum per run that has a value.
function runValues(table, row) {
	var runs = column(row, "runs"), variant = column(table, "variant");
	var device = column(table, "device"), block = column(table, "block");
	var at = column(table, "at"), skin = column(table, "skin");

	return column(row, "values").map(function (v, i) {
		var r = runs.length ? runs[i] : i;
		var d = {
			run: r, v: v, order: variant[r], t: at[r],
			variant: data.variants[variant[r]], block: block[r],
			device: table.devices[device[r]] || "device",
			skin: skin[r]
		};

		d.tip = d.variant + ": " + v + " " + row.unit + ", block " +
			d.block + ", " + d.device;
		return d;
	}).filter(function (d) {
		return d.v !== null;
	}).sort(function (a, b) {
		return a.order - b.order;
	});
}

function change(versus) {
	function one(x) {
		return x === null ? "?" : (x > 0 ? "+" : "") + x.toFixed(1);
	}
	if (versus.pct === null && versus.hi === null)
		return versus.reason || "";
	return one(versus.pct) + " % [" + one(versus.lo) + ", " +
		(versus.open ? "..." : one(versus.hi)) + "]";
}

function forest(figure, table) {
	var variant = Number(figure.dataset.variant) - 1, group = null;
	var values = [];

	table.rows.forEach(function (row) {
		var versus = row.versus[variant];

		if (versus.class === "none")
			return;
		if (row.group !== group && row.group)
			values.push({ i: values.length, heading: true,
				label: row.group });
		group = row.group;
		values.push({
			i: values.length, label: row.label +
				(row.primary ? " (primary)" : ""),
			pct: versus.pct, lo: versus.lo,
			hi: versus.open ? Infinity : versus.hi,
			open: versus.open, class: versus.class,
			reason: "n/a: " + (versus.reason || ""),
			tip: titled(row) + ": " + change(versus) + ", " +
				versus.verdict
		});
	});
	return { values: values };
}

function sampleTitle(row) {
	return row.source + (row.sampleUnit ? " [" + row.sampleUnit + "]" : "");
}

function sampleSteps(table, row) {
	var values = [];

	table.samples[row.source].forEach(function (dist, v) {
		var p = column(dist, "p");

		column(dist, "x").forEach(function (x, i) {
			values.push({ variant: data.variants[v], x: x,
				p: p[i] });
		});
	});
	return values;
}

function runSteps(table, row) {
	var values = [], runs = runValues(table, row).sort(function (a, b) {
		return a.v - b.v;
	});

	data.variants.forEach(function (name) {
		var own = runs.filter(function (d) {
			return d.variant === name;
		});

		own.forEach(function (d, i) {
			values.push({ variant: name, x: d.v,
				p: (i + 1) / own.length });
		});
	});
	return values;
}

// A few that are far from the others would press these into a corner.
function skewed(values) {
	var x = values.map(function (d) { return d.x; }).sort(function (a, b) {
		return a - b;
	});

	return x[0] > 0 && x[x.length - 1] > 20 * x[Math.floor(x.length / 4)];
}

function ecdf(figure, table, row) {
	var values = row.source ? sampleSteps(table, row)
				: runSteps(table, row);
	var log = values.length > 0 && skewed(values);

	return {
		values: values, log: log,
		xTitle: (row.source ? sampleTitle(row) : titled(row)) +
			(log ? ", logarithmic" : "")
	};
}

// A logarithm has no place for 0: neither a wait of 0 nor what is above all.
function tail(figure, table, row) {
	return {
		values: sampleSteps(table, row).filter(function (d) {
			d.above = 1 - d.p;
			return d.x > 0 && d.above > 1e-9;
		}),
		xTitle: sampleTitle(row)
	};
}

function strip(figure, table, row) {
	return { values: runValues(table, row),
		xTitle: "each run" + (row.unit ? " [" + row.unit + "]" : "") +
			"; bar: their mean" };
}

function order(figure, table, row) {
	var values = runValues(table, row), last = 0, hours;

	values.forEach(function (d) { last = Math.max(last, d.t); });
	hours = last > 2 * 3600;
	values.forEach(function (d) {
		d.t = d.t === null ? d.run : d.t / (hours ? 3600 : 60);
	});
	return { values: values, yTitle: row.unit || "value",
		xTitle: (hours ? "hours" : "minutes") + " since the first run" };
}

function power(figure, table, row) {
	var other = table.rows[Number(figure.dataset.power)];
	var watts = {};

	runValues(table, other).forEach(function (d) { watts[d.run] = d.v; });
	return {
		values: runValues(table, row).filter(function (d) {
			d.x = watts[d.run];
			return d.x !== undefined;
		}),
		xTitle: titled(other), yTitle: titled(row)
	};
}

var makers = { forest: forest, ecdf: ecdf, tail: tail, strip: strip,
	order: order, power: power };

function distinct(values, field) {
	var seen = {};

	values.forEach(function (d) { seen["=" + d[field]] = true; });
	return Object.keys(seen).length;
}

function height(meta, values) {
	if (meta.height)
		return meta.height;
	return meta.rowHeight * (meta.rows ? distinct(values, meta.rows)
					   : values.length);
}

function setSignal(spec, name, value) {
	spec.signals.forEach(function (signal) {
		if (signal.name === name)
			signal.value = value;
	});
}

function draw(figure) {
	var spec = json("spec-" + figure.dataset.chart);
	var table = data.tables[Number(figure.dataset.table)];
	var made = makers[figure.dataset.chart](figure, table,
		table.rows[Number(figure.dataset.row)]);
	var colours = theme();

	if (figure.view)
		figure.view.finalize();
	figure.textContent = "";
	if (!made.values.length) {
		figure.textContent = "No values.";
		return;
	}
	spec.data[0].values = made.values;
	spec.width = figure.clientWidth;
	spec.height = height(spec.usermeta, made.values);
	if (made.log)
		spec.scales[0].type = "log";
	setSignal(spec, "theme", colours);
	setSignal(spec, "xTitle", made.xTitle);
	setSignal(spec, "yTitle", made.yTitle);
	figure.view = new vega.View(
		vega.parse(spec, config(colours), { ast: true }),
		{ expr: vega.interpreter, renderer: "svg", container: figure });
	figure.view.runAsync().then(function () {
		figure.dataset.drawn = "yes";
	});
}

// Asking for its width would lay out what is closed.
function visible(figure) {
	return !figure.closest("details:not([open]), [hidden]");
}

function drawOpen(root) {
	all("figure.chart", root).forEach(function (figure) {
		if (!figure.view && visible(figure))
			draw(figure);
	});
}

function redraw() {
	all("figure.chart").forEach(function (figure) {
		if (figure.view && visible(figure))
			draw(figure);
	});
}

function makeCharts() {
	var pending;

	all("details").forEach(function (details) {
		details.addEventListener("toggle", function () {
			if (details.open)
				drawOpen(details);
		});
	});
	dark.addEventListener("change", redraw);
	window.addEventListener("resize", function () {
		clearTimeout(pending);
		pending = setTimeout(redraw, 200);
	});
	drawOpen(document);
}

all("table.sort").forEach(makeSortable);
makeFilter();
window.addEventListener("hashchange", follow);
follow();
if (data && window.vega)
	makeCharts();
else
	document.documentElement.classList.add("no-charts");
}());
