// SPDX-License-Identifier: GPL-3.0-or-later
#include "text.h"

/*
 * A text does not name its kernel's release, so these are the bits that
 * sched.c takes for an unknown one (before 4.8).
 */
#define PREEMPTED 0x800
#define IDLE 0x402 /* does not count as load: TASK_IDLE */
/* No letter, yet not runnable. */
#define UNKNOWN 0x8000

struct letter {
	guint8 name;
	guint16 bits;
};

static const struct letter letters[] = {
	{ 'R', 0 },    { 'S', 0x01 },  { 'D', 0x02 },  { 'T', 0x04 },
	{ 't', 0x08 }, { 'X', 0x10 },  { 'Z', 0x20 },  { 'x', 0x40 },
	{ 'K', 0x80 }, { 'W', 0x100 }, { 'P', 0x200 }, { 'N', 0x400 },
	{ 'I', IDLE }, { '|', 0 },     { '+', 0 },
};

/*
 * Numbers are the bits of a kernel that is not known.  Alone, these say
 * "preempted": 0x100 since 4.14, 0x1000 since 4.8, 0x800 and 0x400 before;
 * and 0x80 is TASK_IDLE since 4.14.  No kernel has them alone for anything
 * else that a task can be in when it is switched away from.
 */
static guint32 from_number(guint64 number)
{
	switch (number) {
	case 0x100:
	case 0x400:
	case 0x800:
	case 0x1000:
		return PREEMPTED;
	case 0x80:
		return IDLE;
	default:
		return (guint32)(number & (PREEMPTED - 1));
	}
}

static const struct letter *find_letter(guint8 name)
{
	guint i;

	for (i = 0; i < G_N_ELEMENTS(letters); i++)
		if (letters[i].name == name)
			return &letters[i];
	return NULL;
}

static bool from_letters(struct ab_bytes text, guint32 *state_out)
{
	guint32 state = 0;
	gsize i;

	for (i = 0; i < text.n; i++) {
		const struct letter *l = find_letter(text.p[i]);

		if (!l) {
			*state_out = UNKNOWN;
			return false;
		}
		state |= l->bits;
	}
	/* "R+"; of a task that is about to sleep the letter says so. */
	if (!state && text.n && text.p[text.n - 1] == '+')
		state = PREEMPTED;
	*state_out = state;
	return true;
}

bool tx_task_state(struct ab_bytes text, guint32 *state_out)
{
	struct ab_bytes number = text;
	guint64 value;

	if (text.n > 2 && !memcmp(text.p, "0x", 2)) {
		if (tx_hex(&number, &value) && !number.n) {
			*state_out = from_number(value);
			return true;
		}
	} else if (tx_uint(&number, G_MAXINT64, &value) && !number.n) {
		*state_out = from_number(value);
		return true;
	}
	return from_letters(text, state_out);
}
