// SPDX-License-Identifier: GPL-3.0-or-later
#include "perfetto_unpack.h"

#include <abrig/error.h>

#include "perfetto_walk.h"
#include "unpack.h"

struct unpacker {
	struct pf_walk walk;
	const guint8 *copied; /* the file has been dealt with up to here */
	struct ab_spool *plain;
	gsize noted; /* size behind the latest note of damage */
	bool packed; /* there are compressed packets */
};

static bool copy(struct unpacker *u, const guint8 *end, GError **error)
{
	struct ab_bytes bytes = { u->copied, (gsize)(end - u->copied) };

	u->copied = end;
	return ab_spool_append(u->plain, bytes, error);
}

/* A packet with a field 0 for what is missing here; one is enough. */
static bool note_damage(struct unpacker *u, GError **error)
{
	static const guint8 damaged[] = { 0x0a, 0x01, 0x00 };

	if (u->noted && u->noted == ab_spool_size(u->plain))
		return true;
	if (!ab_spool_append(u->plain,
			     (struct ab_bytes){ damaged, sizeof(damaged) },
			     error))
		return false;
	u->noted = ab_spool_size(u->plain);
	return true;
}

/* What stands before the packet at hand, with a note where bytes were lost. */
static bool copy_before(struct unpacker *u, GError **error)
{
	if (!u->walk.gap)
		return copy(u, u->walk.at, error);
	if (!copy(u, u->walk.gap, error) || !note_damage(u, error))
		return false;
	u->walk.gap = NULL;
	u->copied = u->walk.at;
	return true;
}

/* Of what was unpacked last, from @before on, keep only whole packets. */
static bool drop_tail(struct ab_spool *plain, gsize before, GError **error)
{
	struct ab_bytes part, packet;
	struct pf_walk walk;

	if (!ab_spool_bytes(plain, before, &part, error))
		return false;
	walk = pf_walk(part);
	while (pf_walk_next(&walk, &packet))
		;
	ab_spool_truncate(plain, before + (gsize)(walk.at - part.p));
	return true;
}

static bool unpack_one(struct unpacker *u, enum ab_packing packing,
		       struct ab_bytes payload, GError **error)
{
	gsize before = ab_spool_size(u->plain);
	g_autoptr(GError) why = NULL;
	enum ab_unpacked end =
		ab_unpack(packing, payload, u->plain, NULL, &why);

	if (end == AB_UNPACKED_WHOLE)
		return true;
	if (why && why->code != AB_ERROR_DATA) {
		g_propagate_error(error, g_steal_pointer(&why));
		return false;
	}
	if (end != AB_UNPACKED_CUT)
		ab_spool_truncate(u->plain, before);
	else if (!drop_tail(u->plain, before, error))
		return false;
	return note_damage(u, error);
}

static bool take(struct unpacker *u, guint32 field, struct ab_bytes payload,
		 GError **error)
{
	u->packed = true;
	return copy_before(u, error) &&
	       unpack_one(u,
			  field == PF_COMPRESSED_PACKETS ? AB_PACKING_ZLIB
							 : AB_PACKING_ZSTD,
			  payload, error);
}

/* What is left, and before it what can be had of a packet that was cut. */
static bool finish(struct unpacker *u, GError **error)
{
	const guint8 *end = u->walk.r.end;
	struct ab_bytes tail = { u->walk.at, (gsize)(end - u->walk.at) };
	struct ab_bytes payload;
	guint32 field;

	if (ab_spool_full(u->plain))
		return true;
	if (pf_walk_cut_packed(tail, &field, &payload) &&
	    !take(u, field, payload, error))
		return false;
	return !u->packed || (copy_before(u, error) && copy(u, end, error));
}

bool pf_unpack(struct ab_bytes file, struct ab_spool *plain, guint64 *skipped,
	       struct ab_reading *reading, GError **error)
{
	struct unpacker u = { .walk = pf_walk(file),
			      .copied = file.p,
			      .plain = plain };
	struct ab_bytes packet, payload;
	guint32 field;

	/* Behind a bomb the ceiling leaves no room for the others. */
	while (!ab_spool_full(plain) && pf_walk_next(&u.walk, &packet)) {
		if (pf_walk_packed(packet, &field, &payload)) {
			if (!take(&u, field, payload, error))
				return false;
			u.copied = u.walk.r.p;
			if (reading)
				ab_reading_at(reading,
					      (guint64)(u.copied - file.p),
					      file.n);
		} else if (field) {
			pf_walk_doubt(&u.walk);
		}
	}
	if (!finish(&u, error))
		return false;
	if (u.packed)
		*skipped += u.walk.skipped;
	return true;
}
