/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CAMPAIGN_REPEAT_H
#define CAMPAIGN_REPEAT_H

#include "worker.h"

/*
 * Append to session @session a repeat of each run of @row's block and variant
 * that was rejected, is not repeated yet, and may be.  Idempotent.
 */
bool repeat_rejected(struct worker *w, const struct ab_session_row *row,
		     gint64 session, GError **error);

/*
 * End @row in @state because of @reason, and move what it left undone to a
 * new session at the end of the block.  @given_up_out: it was tried in vain
 * too often; nothing was moved.
 */
bool repeat_session(struct worker *w, struct ab_session_row *row,
		    enum ab_session_state state, const char *reason,
		    bool *given_up_out, GError **error);

#endif
