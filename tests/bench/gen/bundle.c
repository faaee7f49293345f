// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What traced_probes makes of the CPUs' buffers: bundles of columns and
 * events, in which pointers are numbers that hold for one pass.
 */
#include "sim.h"

const char *gen_symbol_name(enum gen_symbol symbol)
{
	static const char *const names[GEN_SYMBOLS] = {
		[GEN_PM_RUNTIME_WORK] = "pm_runtime_work",
		[GEN_VMSTAT_UPDATE] = "vmstat_update",
		[GEN_BLK_MQ_RUN_WORK] = "blk_mq_run_work_fn",
		[GEN_KCRYPTD_CRYPT] = "kcryptd_crypt",
		[GEN_DELAYED_FPUT] = "delayed_fput",
		[GEN_RPM_RESUME] = "rpm_resume",
		[GEN_FOLIO_WAIT] = "folio_wait_bit_common",
		[GEN_MUTEX_LOCK] = "__mutex_lock",
		[GEN_DMA_FENCE_WAIT] = "dma_fence_default_wait",
	};

	return names[symbol];
}

/* ---- the bundle that a CPU's events go to ---- */

static struct gen_bundle *bundle_new(void)
{
	struct gen_bundle *bundle = g_new0(struct gen_bundle, 1);

	for (int i = 1; i < GEN_COLUMNS; i++)
		if (i != GEN_INTERN)
			bundle->column[i] =
				g_malloc(GEN_BUNDLE_ROWS * VP_PB_VARINT_MAX);
	bundle->events = g_byte_array_new();
	return bundle;
}

static void bundle_free(struct gen_bundle *bundle)
{
	for (int i = 1; i < GEN_COLUMNS; i++)
		g_free(bundle->column[i]);
	g_byte_array_unref(bundle->events);
	g_free(bundle);
}

void gen_bundles_clear(struct gen_sim *sim)
{
	for (int i = 0; i < GEN_CPUS; i++) {
		GPtrArray *bundles = sim->cpus[i].bundles;

		for (guint k = 0; k < bundles->len; k++)
			bundle_free(bundles->pdata[k]);
		g_ptr_array_unref(bundles);
	}
}

static struct gen_bundle *next_bundle(struct gen_sim *sim, struct gen_cpu *cpu,
				      gint64 previous_ns)
{
	struct gen_bundle *bundle;

	if (cpu->n_bundles == cpu->bundles->len)
		g_ptr_array_add(cpu->bundles, bundle_new());
	bundle = cpu->bundles->pdata[cpu->n_bundles++];
	memcpy(bundle->end, bundle->column, sizeof(bundle->end));
	g_byte_array_set_size(bundle->events, 0);
	bundle->switches = 0;
	bundle->wakings = 0;
	bundle->switch_ns = 0;
	bundle->waking_ns = 0;
	bundle->n_comms = 0;
	bundle->symbols = 0;
	bundle->stamp = ++sim->stamps;
	bundle->previous_ns = previous_ns;
	return bundle;
}

/* The bundle for an event at @ts_ns. */
static struct gen_bundle *bundle_for(struct gen_sim *sim, struct gen_cpu *cpu,
				     gint64 ts_ns)
{
	struct gen_bundle *bundle = NULL;

	if (cpu->n_bundles)
		bundle = cpu->bundles->pdata[cpu->n_bundles - 1];
	if (!bundle || bundle->n_comms == GEN_BUNDLE_COMMS ||
	    MAX(bundle->switches, bundle->wakings) == GEN_BUNDLE_ROWS)
		bundle = next_bundle(sim, cpu, cpu->written_ns);
	cpu->written_ns = ts_ns;
	cpu->entries++;
	return bundle;
}

static guint comm_index(struct gen_cpu *cpu, struct gen_bundle *bundle,
			guint16 comm)
{
	guint64 slot = cpu->comm_slot[comm];

	if (slot >> 8 == bundle->stamp)
		return slot & 0xff;
	bundle->comms[bundle->n_comms] = comm;
	cpu->comm_slot[comm] = bundle->stamp << 8 | bundle->n_comms;
	return bundle->n_comms++;
}

static inline void put(struct gen_bundle *bundle, enum gen_column column,
		       gint64 value)
{
	bundle->end[column] +=
		vp_pb_encode(bundle->end[column], (guint64)value);
}

void gen_put_switch(struct gen_sim *sim, struct gen_cpu *cpu, gint64 ts_ns,
		    int prev_state, const struct gen_thread *next)
{
	struct gen_bundle *bundle = bundle_for(sim, cpu, ts_ns);

	put(bundle, GEN_SWITCH_TS, ts_ns - bundle->switch_ns);
	put(bundle, GEN_SWITCH_STATE, prev_state);
	put(bundle, GEN_SWITCH_PID, next->tid);
	put(bundle, GEN_SWITCH_PRIO, next->prio);
	put(bundle, GEN_SWITCH_COMM, comm_index(cpu, bundle, next->comm));
	bundle->switch_ns = ts_ns;
	bundle->switches++;
	sim->truth->switches++;
}

void gen_put_waking(struct gen_sim *sim, struct gen_cpu *cpu, gint64 ts_ns,
		    const struct gen_thread *thread, guint target, int flags)
{
	struct gen_bundle *bundle = bundle_for(sim, cpu, ts_ns);

	put(bundle, GEN_WAKING_TS, ts_ns - bundle->waking_ns);
	put(bundle, GEN_WAKING_PID, thread->tid);
	put(bundle, GEN_WAKING_CPU, target);
	put(bundle, GEN_WAKING_PRIO, thread->prio);
	put(bundle, GEN_WAKING_COMM, comm_index(cpu, bundle, thread->comm));
	put(bundle, GEN_WAKING_FLAGS, flags);
	bundle->waking_ns = ts_ns;
	bundle->wakings++;
	sim->truth->wakings++;
}

struct gen_event gen_event_begin(struct gen_sim *sim, struct gen_cpu *cpu,
				 gint64 ts_ns, guint32 field)
{
	struct gen_event ev = { .pb = bundle_for(sim, cpu, ts_ns)->events };

	ev.event = vp_pb_open(ev.pb, 2);
	vp_pb_int(ev.pb, 1, ts_ns);
	vp_pb_int(ev.pb, 2, gen_current(sim, cpu)->tid);
	ev.message = vp_pb_open(ev.pb, field);
	sim->truth->events++;
	return ev;
}

void gen_event_end(const struct gen_event *event)
{
	vp_pb_close(event->pb, event->message);
	vp_pb_close(event->pb, event->event);
}

/* ---- pointers ---- */

static guint32 mangle(struct gen_sim *sim, guint pointer)
{
	if (!sim->mangled[pointer])
		sim->mangled[pointer] = ++sim->last_mangled;
	return sim->mangled[pointer];
}

guint32 gen_symbol(struct gen_sim *sim, struct gen_cpu *cpu,
		   enum gen_symbol symbol)
{
	struct gen_bundle *bundle = cpu->bundles->pdata[cpu->n_bundles - 1];

	bundle->symbols |= 1u << symbol;
	return mangle(sim, symbol);
}

guint32 gen_work_pointer(struct gen_sim *sim, guint work)
{
	return mangle(sim, GEN_SYMBOLS + work);
}

/* ---- packets ---- */

static void write_compact(const struct gen_sim *sim, GByteArray *pb,
			  const struct gen_bundle *bundle)
{
	gsize compact = vp_pb_open(pb, 4);

	for (guint i = 0; i < bundle->n_comms; i++)
		vp_pb_string(pb, GEN_INTERN, sim->comms[bundle->comms[i]]);
	for (int i = 1; i < GEN_COLUMNS; i++) {
		gsize len = (gsize)(bundle->end[i] - bundle->column[i]);

		if (len)
			vp_pb_bytes(pb, (guint32)i, bundle->column[i], len);
	}
	vp_pb_close_padded(pb, compact);
}

/* The first packet of a pass that names a symbol begins a new table. */
static void write_symbols(struct gen_sim *sim, GByteArray *pb, guint32 symbols)
{
	guint32 fresh = symbols & ~sim->announced;
	gsize interned;

	if (!fresh)
		return;
	if (!sim->announced)
		vp_pb_int(pb, 13, 1);
	sim->announced |= fresh;
	interned = vp_pb_open(pb, 12);
	for (guint i = 0; i < GEN_SYMBOLS; i++) {
		gsize entry;

		if (!(fresh & 1u << i))
			continue;
		entry = vp_pb_open(pb, 26);
		vp_pb_varint(pb, 1, sim->mangled[i]);
		vp_pb_string(pb, 2, gen_symbol_name((enum gen_symbol)i));
		vp_pb_close_padded(pb, entry);
	}
	vp_pb_close_padded(pb, interned);
}

static void write_bundle(struct gen_sim *sim, struct gen_cpu *cpu,
			 const struct gen_bundle *bundle)
{
	GByteArray *pb = sim->trace.pb;
	gsize packet = vp_packet_begin(&sim->trace);
	gsize message = vp_pb_open(pb, 1);

	vp_pb_varint(pb, 1, gen_cpu_number(sim, cpu));
	vp_pb_int(pb, 10, bundle->previous_ns);
	g_byte_array_append(pb, bundle->events->data, bundle->events->len);
	if (bundle->n_comms)
		write_compact(sim, pb, bundle);
	vp_pb_close_padded(pb, message);
	write_symbols(sim, pb, bundle->symbols);
	vp_packet_end(&sim->trace, packet, VP_SEQ_FTRACE);
}

void gen_drain(struct gen_sim *sim)
{
	for (int i = 0; i < GEN_CPUS; i++) {
		struct gen_cpu *cpu = &sim->cpus[i];

		for (guint k = 0; k < cpu->n_bundles; k++)
			write_bundle(sim, cpu, cpu->bundles->pdata[k]);
		cpu->n_bundles = 0;
	}
	memset(sim->mangled, 0, sizeof(sim->mangled));
	sim->last_mangled = 0;
	sim->announced = 0;
}
