/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of the page as strings; vega.js is empty without libjs-vega. */
	.macro asset name, file
	.global	ab_html_\name
	.type	ab_html_\name, %object
ab_html_\name:
	.incbin	"\file"
	.byte	0
	.size	ab_html_\name, . - ab_html_\name
	.endm

	.section .rodata
	asset	page_css, "page.css"
	asset	page_js, "page.js"
	asset	vega_js, "vega.js"
	asset	licences, "licences.txt"
	asset	forest, "forest.json"
	asset	ecdf, "ecdf.json"
	asset	tail, "tail.json"
	asset	strip, "strip.json"
	asset	order, "order.json"
	asset	power, "power.json"
	.section .note.GNU-stack, "", %progbits
