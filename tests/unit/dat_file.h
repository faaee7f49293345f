/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A writer of small trace-cmd files, version 6: events of two CPUs, each CPU's
 * in the order of time.
 */
#ifndef UNIT_DAT_FILE_H
#define UNIT_DAT_FILE_H

#include <glib.h>
#include <string.h>

#define DAT_CPUS 2
#define DAT_PAGE 4096
#define DAT_PAGE_HEADER 16
/* Time since the last event in 27 bits. */
#define DAT_DELTA_BITS 27

/* Event ids, in the order of the formats below. */
enum {
	DAT_PRINT_ID = 1,
	DAT_SWITCH_ID,
	DAT_WAKING_ID,
	DAT_WAKEUP_ID,
	DAT_BLOCKED_ID,
	DAT_QUEUE_ID,
	DAT_ACTIVATE_ID,
	DAT_START_ID,
	DAT_END_ID,
	DAT_NEWTASK_ID,
	DAT_RENAME_ID,
	DAT_FREE_ID,
	DAT_FREQUENCY_ID,
	DAT_IDLE_ID,
	DAT_RPM_ID,
	DAT_OTHER_ID,
};

struct dat_format {
	const char *system, *name, *fields;
};

/* A field: type, name, offset, size. */
#define DAT_FIELD(decl, offset, size) \
	"\tfield:" decl ";\toffset:" #offset ";\tsize:" #size ";\tsigned:1;\n"

static const struct dat_format dat_formats[] = {
	{ "ftrace", "print",
	  DAT_FIELD("unsigned long ip", 8, 8) DAT_FIELD("char buf", 16, 0) },
	{ "sched", "sched_switch",
	  DAT_FIELD("char prev_comm[16]", 8, 16) DAT_FIELD(
		  "pid_t prev_pid", 24, 4) DAT_FIELD("int prev_prio", 28, 4)
		  DAT_FIELD("long prev_state", 32, 8)
			  DAT_FIELD("char next_comm[16]", 40, 16)
				  DAT_FIELD("pid_t next_pid", 56, 4)
					  DAT_FIELD("int next_prio", 60, 4) },
	{ "sched", "sched_waking",
	  DAT_FIELD("char comm[16]", 8, 16) DAT_FIELD("pid_t pid", 24, 4) },
	{ "sched", "sched_wakeup",
	  DAT_FIELD("char comm[16]", 8, 16) DAT_FIELD("pid_t pid", 24, 4) },
	{ "sched", "sched_blocked_reason",
	  DAT_FIELD("pid_t pid", 8, 4) DAT_FIELD("void* caller", 16, 8)
		  DAT_FIELD("bool io_wait", 24, 1) },
	{ "workqueue", "workqueue_queue_work",
	  DAT_FIELD("void * work", 8, 8) DAT_FIELD("void * function", 16, 8)
		  DAT_FIELD("__data_loc char[] workqueue", 24, 4) },
	{ "workqueue", "workqueue_activate_work",
	  DAT_FIELD("void * work", 8, 8) },
	{ "workqueue", "workqueue_execute_start",
	  DAT_FIELD("void * work", 8, 8) DAT_FIELD("void * function", 16, 8) },
	{ "workqueue", "workqueue_execute_end",
	  DAT_FIELD("void * work", 8, 8) DAT_FIELD("void * function", 16, 8) },
	{ "task", "task_newtask",
	  DAT_FIELD("pid_t pid", 8, 4) DAT_FIELD("char comm[16]", 12, 16)
		  DAT_FIELD("unsigned long clone_flags", 32, 8) },
	{ "task", "task_rename",
	  DAT_FIELD("pid_t pid", 8, 4) DAT_FIELD("char oldcomm[16]", 12, 16)
		  DAT_FIELD("char newcomm[16]", 28, 16) },
	{ "sched", "sched_process_free",
	  DAT_FIELD("char comm[16]", 8, 16) DAT_FIELD("pid_t pid", 24, 4) },
	{ "power", "cpu_frequency",
	  DAT_FIELD("u32 state", 8, 4) DAT_FIELD("u32 cpu_id", 12, 4) },
	{ "power", "cpu_idle",
	  DAT_FIELD("u32 state", 8, 4) DAT_FIELD("u32 cpu_id", 12, 4) },
	{ "rpm", "rpm_status",
	  DAT_FIELD("__data_loc char[] name", 8, 4)
		  DAT_FIELD("int status", 12, 4) },
	{ "irq", "softirq_entry", DAT_FIELD("unsigned int vec", 8, 4) },
};

/* One CPU's pages. */
struct dat_cpu {
	GByteArray *pages;
	gsize page; /* where the last begins */
	guint64 last_ns;
};

struct dat_file {
	struct dat_cpu cpus[DAT_CPUS];
	const char *kallsyms, *cmdlines, *uname, *cpustat;
	const char *instance; /* its name; its buffer is nowhere */
};

static inline void dat_le(GByteArray *b, guint64 v, guint size)
{
	v = GUINT64_TO_LE(v);
	g_byte_array_append(b, (const guint8 *)&v, size);
}

static inline void dat_text(GByteArray *b, const char *text, guint size_bytes)
{
	dat_le(b, strlen(text), size_bytes);
	g_byte_array_append(b, (const guint8 *)text, (guint)strlen(text));
}

static inline void dat_init(struct dat_file *f)
{
	int i;

	*f = (struct dat_file){ .kallsyms = "", .cmdlines = "" };
	for (i = 0; i < DAT_CPUS; i++)
		f->cpus[i].pages = g_byte_array_new();
}

static inline void dat_set(struct dat_cpu *cpu, gsize at, guint64 v)
{
	v = GUINT64_TO_LE(v);
	memcpy(cpu->pages->data + at, &v, sizeof(v));
}

static inline guint64 dat_commit(const struct dat_cpu *cpu)
{
	guint64 commit;

	memcpy(&commit, cpu->pages->data + cpu->page + 8, sizeof(commit));
	return GUINT64_FROM_LE(commit);
}

static inline void dat_new_page(struct dat_file *f, int no, guint64 ts)
{
	struct dat_cpu *cpu = &f->cpus[no];

	cpu->page = cpu->pages->len;
	g_byte_array_set_size(cpu->pages, (guint)cpu->page + DAT_PAGE);
	memset(cpu->pages->data + cpu->page, 0, DAT_PAGE);
	dat_set(cpu, cpu->page, ts);
	cpu->last_ns = ts;
}

/* The kernel says that @n events are missing before this page. */
static inline void dat_lost_page(struct dat_file *f, int no, guint64 ts,
				 guint64 n)
{
	const guint64 missing = 1U << 31, stored = 1U << 30;

	dat_new_page(f, no, ts);
	/* The number stands behind the data: dat_add() moves it on. */
	dat_set(&f->cpus[no], f->cpus[no].page + 8, missing | stored);
	dat_set(&f->cpus[no], f->cpus[no].page + DAT_PAGE_HEADER, n);
}

/* An event with @data, whose common fields are written here. */
static inline void dat_add(struct dat_file *f, int no, guint64 ts, int id,
			   int flags, int tid, GByteArray *data)
{
	const guint64 flag_bits = 3U << 30;
	struct dat_cpu *cpu = &f->cpus[no];
	guint words = (data->len + 3) / 4, need = 4 + words * 4;
	guint64 head[1] = { 0 }, commit, lost;
	guint8 *p;

	if (!cpu->pages->len ||
	    (dat_commit(cpu) & ~flag_bits) + need + 24 >
		    DAT_PAGE - DAT_PAGE_HEADER ||
	    (ts - cpu->last_ns) >> DAT_DELTA_BITS)
		dat_new_page(f, no, ts);
	g_assert_cmpuint(words, <=, 28);
	commit = dat_commit(cpu);
	p = cpu->pages->data + cpu->page + DAT_PAGE_HEADER +
	    (commit & ~flag_bits);
	memcpy(&lost, p, sizeof(lost));
	head[0] = GUINT32_TO_LE((guint32)(words | ((ts - cpu->last_ns) << 5)));
	memcpy(p, head, 4);
	memset(p + 4, 0, words * 4);
	memcpy(p + 4, data->data, data->len);
	p[4] = (guint8)id;
	p[6] = (guint8)flags;
	head[0] = GUINT32_TO_LE((guint32)tid);
	memcpy(p + 8, head, 4);
	if (commit & flag_bits)
		memcpy(p + need, &lost, sizeof(lost));
	dat_set(cpu, cpu->page + 8, commit + need);
	cpu->last_ns = ts;
	g_byte_array_unref(data);
}

/* Room for the common fields. */
static inline GByteArray *dat_fields(void)
{
	GByteArray *b = g_byte_array_new();

	dat_le(b, 0, 8);
	return b;
}

static inline void dat_comm(GByteArray *b, const char *comm)
{
	char buf[16] = "";

	g_strlcpy(buf, comm, sizeof(buf));
	g_byte_array_append(b, (const guint8 *)buf, sizeof(buf));
}

static inline void dat_option(GByteArray *out, guint id, const char *text)
{
	if (!text)
		return;
	dat_le(out, id, 2);
	dat_le(out, strlen(text) + 1, 4);
	g_byte_array_append(out, (const guint8 *)text, (guint)strlen(text) + 1);
}

/* Where its buffer is, and its name. */
static inline void dat_instance(GByteArray *out, const char *name)
{
	if (!name)
		return;
	dat_le(out, 3, 2);
	dat_le(out, 8 + strlen(name) + 1, 4);
	dat_le(out, 0, 8);
	g_byte_array_append(out, (const guint8 *)name, (guint)strlen(name) + 1);
}

static inline void dat_put_format(GByteArray *out, guint i)
{
	g_autofree char *text = g_strdup_printf(
		"name: %s\nID: %u\nformat:\n%s%s%s%s\n%s\nprint fmt: \"\"\n",
		dat_formats[i].name, i + 1,
		DAT_FIELD("unsigned short common_type", 0, 2),
		DAT_FIELD("unsigned char common_flags", 2, 1),
		DAT_FIELD("unsigned char common_preempt_count", 3, 1),
		DAT_FIELD("int common_pid", 4, 4), dat_formats[i].fields);

	dat_text(out, text, 8);
}

static inline void dat_put_formats(GByteArray *out)
{
	guint i;

	dat_le(out, 1, 4); /* of ftrace itself */
	dat_put_format(out, 0);
	dat_le(out, G_N_ELEMENTS(dat_formats) - 1, 4); /* systems */
	for (i = 1; i < G_N_ELEMENTS(dat_formats); i++) {
		const char *system = dat_formats[i].system;

		g_byte_array_append(out, (const guint8 *)system,
				    (guint)strlen(system) + 1);
		dat_le(out, 1, 4);
		dat_put_format(out, i);
	}
}

#define DAT_PUT(out, bytes) \
	g_byte_array_append(out, (const guint8 *)(bytes), sizeof(bytes) - 1)

static inline void dat_put_head(const struct dat_file *f, GByteArray *out)
{
	DAT_PUT(out, "\x17\x08\x44tracing6\0\0\x08");
	dat_le(out, DAT_PAGE, 4);
	DAT_PUT(out, "header_page\0");
	dat_text(out,
		 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		 "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		 "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		 "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n",
		 8);
	DAT_PUT(out, "header_event\0");
	dat_text(out, "# compressed entry header\n", 8);
	dat_put_formats(out);
	dat_text(out, f->kallsyms, 4);
	dat_le(out, 0, 4); /* printk */
	dat_text(out, f->cmdlines, 8);
	dat_le(out, DAT_CPUS, 4);
	DAT_PUT(out, "options  \0");
	dat_option(out, 5, f->uname);
	dat_option(out, 2, f->cpustat);
	dat_instance(out, f->instance);
	dat_le(out, 0, 2);
	DAT_PUT(out, "flyrecord\0");
}

/* The file's bytes; @f is empty afterwards. */
static inline GByteArray *dat_finish(struct dat_file *f)
{
	GByteArray *out = g_byte_array_new();
	gsize at;
	int i;

	dat_put_head(f, out);
	at = (out->len + DAT_CPUS * 16 + DAT_PAGE - 1) / DAT_PAGE * DAT_PAGE;
	for (i = 0; i < DAT_CPUS; i++) {
		dat_le(out, at, 8);
		dat_le(out, f->cpus[i].pages->len, 8);
		at += f->cpus[i].pages->len;
	}
	while (out->len % DAT_PAGE)
		dat_le(out, 0, 1);
	for (i = 0; i < DAT_CPUS; i++) {
		g_byte_array_append(out, f->cpus[i].pages->data,
				    f->cpus[i].pages->len);
		g_byte_array_unref(f->cpus[i].pages);
	}
	return out;
}

#endif
