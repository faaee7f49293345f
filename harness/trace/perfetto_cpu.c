// SPDX-License-Identifier: GPL-3.0-or-later
#include "perfetto.h"

/* CpuInfo.Cpu: frequencies = 2 (kHz), capacity = 3. */
static struct ab_cpu_info read_cpu(struct ab_source *src,
				   struct ab_bytes message)
{
	struct ab_reader r = ab_reader(message);
	struct ab_cpu_info cpu = { 0 };
	struct ab_field f;

	while (ab_next_field(&r, &f)) {
		if (AB_FIELD_TAG(&f) == AB_TAG(2, AB_VARINT))
			cpu.max_khz = MAX(cpu.max_khz, (guint32)f.v);
		else if (AB_FIELD_TAG(&f) == AB_TAG(3, AB_VARINT))
			cpu.capacity = (guint32)f.v;
	}
	if (r.bad)
		src->trace->quality.damaged_packets++;
	return cpu;
}

void pf_cpu_info(struct ab_source *src, struct ab_bytes message)
{
	GArray *cpus = src->trace->cpu_info;
	struct ab_reader r = ab_reader(message);
	struct ab_field f;

	/* Each session of the data source tells of all CPUs. */
	g_array_set_size(cpus, 0);
	while (ab_next_field(&r, &f)) {
		struct ab_cpu_info cpu;

		if (AB_FIELD_TAG(&f) != AB_TAG(1, AB_LEN) ||
		    cpus->len == AB_MAX_CPUS)
			continue;
		cpu = read_cpu(src, f.bytes);
		g_array_append_val(cpus, cpu);
	}
	if (r.bad)
		src->trace->quality.damaged_packets++;
}
