// SPDX-License-Identifier: GPL-3.0-or-later
/* The log of waits against adding them all up. */
#include "../../harness/trace/waits.h"

#define THREADS 5
#define WAITS (2 * AB_WAITS_CHUNKS * AB_WAITS_CHUNK)
/* So long ago that no thread's log can reach there. */
#define FORGOTTEN_NS 1000

struct model {
	struct ab_waits waits;
	struct ab_thread threads[THREADS];
	GArray *all[THREADS]; /* struct ab_wait */
	GRand *rand;
	gint64 now_ns;
};

static void set_up(struct model *m)
{
	guint i;

	ab_waits_init(&m->waits, 0);
	m->rand = g_rand_new_with_seed(1);
	m->now_ns = FORGOTTEN_NS;
	for (i = 0; i < THREADS; i++) {
		m->threads[i] = (struct ab_thread){
			.wait_begin_ns = G_MININT64,
			.wait_end_ns = G_MININT64,
		};
		m->all[i] = g_array_new(FALSE, FALSE, sizeof(struct ab_wait));
	}
}

static void tear_down(struct model *m)
{
	guint i;

	ab_waits_clear(&m->waits);
	g_rand_free(m->rand);
	for (i = 0; i < THREADS; i++)
		g_array_unref(m->all[i]);
}

/* The first thread waits rarely, the last most often. */
static guint pick(struct model *m)
{
	guint i = THREADS - 1;

	while (i && g_rand_int_range(m->rand, 0, 20) == 0)
		i--;
	return i;
}

static void add_wait(struct model *m)
{
	guint i = pick(m);
	struct ab_wait w;

	w.begin_ns = m->now_ns + g_rand_int_range(m->rand, 0, 3);
	w.end_ns = w.begin_ns + g_rand_int_range(m->rand, 1, 9);
	m->now_ns = w.end_ns;
	ab_waits_add(&m->waits, &m->threads[i], w.begin_ns, w.end_ns, true);
	g_array_append_val(m->all[i], w);
}

static gint64 expected(const GArray *all, gint64 begin_ns)
{
	gint64 sum = 0;
	guint i;

	for (i = all->len; i > 0; i--) {
		const struct ab_wait *w =
			&g_array_index(all, struct ab_wait, i - 1);

		if (w->end_ns <= begin_ns)
			break;
		sum += w->end_ns - MAX(w->begin_ns, begin_ns);
	}
	return sum;
}

static void check(struct model *m, gint64 back_ns)
{
	gint64 begin_ns = MAX(m->now_ns - back_ns, 0);
	guint i;

	for (i = 0; i < THREADS; i++)
		g_assert_cmpint(ab_waits_sum(&m->waits, &m->threads[i],
					     begin_ns, m->now_ns),
				==, expected(m->all[i], begin_ns));
}

/* Also after the ring has been used up several times. */
static void test_sums(void)
{
	struct model m;
	guint i;

	set_up(&m);
	for (i = 0; i < WAITS; i++) {
		add_wait(&m);
		if (i % 61 == 0)
			check(&m, g_rand_int_range(m.rand, 0, 4000));
	}
	tear_down(&m);
}

/* What is forgotten is not taken for nothing. */
static void test_forgotten(void)
{
	struct model m;
	guint i;

	set_up(&m);
	check(&m, FORGOTTEN_NS);
	for (i = 0; i < 100; i++)
		add_wait(&m);
	check(&m, G_MAXINT32);
	for (i = 0; i < WAITS; i++)
		add_wait(&m);
	for (i = 0; i < THREADS; i++)
		g_assert_cmpint(ab_waits_sum(&m.waits, &m.threads[i], 0,
					     m.now_ns),
				==, -1);
	tear_down(&m);
}

/* The time goes back: not more than there was time for. */
static void test_damaged(void)
{
	struct model m;

	set_up(&m);
	ab_waits_add(&m.waits, &m.threads[0], 100, 900, true);
	ab_waits_add(&m.waits, &m.threads[0], 200, 800, true);
	g_assert_cmpint(ab_waits_sum(&m.waits, &m.threads[0], 50, 900), ==, -1);
	tear_down(&m);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace-waits/sums", test_sums);
	g_test_add_func("/trace-waits/forgotten", test_forgotten);
	g_test_add_func("/trace-waits/damaged", test_damaged);
	return g_test_run();
}
