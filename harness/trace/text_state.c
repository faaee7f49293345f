// SPDX-License-Identifier: GPL-3.0-or-later
#include "task_state.h"
#include "text.h"

/* No letter, yet not runnable. */
#define UNKNOWN 0x8000

struct letter {
	guint8 name;
	guint16 bits;
};

static const struct letter letters[] = {
	{ 'R', 0 },
	{ 'S', 0x01 },
	{ 'D', 0x02 },
	{ 'T', 0x04 },
	{ 't', 0x08 },
	{ 'X', 0x10 },
	{ 'Z', 0x20 },
	{ 'x', 0x40 },
	{ 'K', 0x80 },
	{ 'W', 0x100 },
	{ 'P', 0x200 },
	{ 'N', 0x400 },
	{ 'I', AB_TASK_IDLE },
	{ '|', 0 },
	{ '+', 0 },
};

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
		state = AB_TASK_PREEMPTED;
	*state_out = state;
	return true;
}

bool tx_task_state(struct ab_bytes text, guint32 *state_out)
{
	struct ab_bytes number = text;
	guint64 value;

	if (text.n > 2 && !memcmp(text.p, "0x", 2)) {
		if (tx_hex(&number, &value) && !number.n) {
			*state_out = ab_task_state_guess(value);
			return true;
		}
	} else if (tx_uint(&number, G_MAXINT64, &value) && !number.n) {
		*state_out = ab_task_state_guess(value);
		return true;
	}
	return from_letters(text, state_out);
}
