# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion for abrig; installed by make install.
_abrig()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local words
	if [ "$COMP_CWORD" -eq 1 ]; then
		words='run aa report publish lint analyze explain compare power devices doctor restore help --help --version'
	elif [ "$prev" = --style ] || [ "$prev" = -s ]; then
		words=$(abrig report --help 2>/dev/null |
			grep -oE '(style:|\);) [a-z]+ \(' |
			grep -oE '[a-z]+ ' | grep -v style)
	elif [ "$prev" = --samples ]; then
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		return 0
	elif [ "${COMP_WORDS[1]}" = power ] && [ "$prev" = --metric ]; then
		words=$(abrig help metrics 2>/dev/null | grep -oE '^[a-z][^ ,]*')
	elif [ "${COMP_WORDS[1]}" = help ]; then
		words='plan gates metrics threads'
	elif [[ $cur == -* ]]; then
		words=$(abrig "${COMP_WORDS[1]}" --help 2>/dev/null |
			grep -oE -- '--[a-z-]+' | sort -u)
	else
		return 0
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _abrig abrig
