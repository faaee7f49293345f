/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The packets of a file, one after the other, also of a damaged file.
 *
 * The file has no index: a damaged tag or length takes all that follows with
 * it.  The walk then searches for the next packet that cannot be mistaken: one
 * with the synchronization_marker that the tracing service writes every 10 s,
 * or one of compressed packets, whose two lengths must agree.
 */
#ifndef TRACE_PERFETTO_WALK_H
#define TRACE_PERFETTO_WALK_H

#include "proto.h"

/* TracePacket fields that hold compressed packets. */
#define PF_COMPRESSED_PACKETS 50
#define PF_ZSTD_COMPRESSED_PACKETS 133

struct pf_walk {
	struct ab_reader r;
	const guint8 *at;  /* the packet that was handed out last: its tag */
	const guint8 *gap; /* what lies between here and @at was skipped; NULL:
			      nothing.  Reset by the caller. */
	guint64 skipped;   /* bytes, in all gaps */
	/* Nothing to go on with lies between these. */
	const guint8 *searched, *sync;
};

struct pf_walk pf_walk(struct ab_bytes file);
/*
 * The next packet's contents.  False at the end; what lies between @at and the
 * end of the file then is a packet that was cut, or damaged without anything
 * whole behind it.
 */
bool pf_walk_next(struct pf_walk *walk, struct ab_bytes *packet_out);
/* The packet just handed out does not parse: doubt its length, too. */
void pf_walk_doubt(struct pf_walk *walk);

/* The file begins like a trace. */
bool pf_walk_recognise(struct ab_bytes file);

/*
 * The payload of a packet that holds compressed packets and nothing else, and
 * which field it is.  False when it does not; *@field_out is 0 unless it begins
 * like one.
 */
bool pf_walk_packed(struct ab_bytes packet, guint32 *field_out,
		    struct ab_bytes *payload_out);
/* The same of the end of a file that was cut within such a packet. */
bool pf_walk_cut_packed(struct ab_bytes tail, guint32 *field_out,
			struct ab_bytes *payload_out);

#endif
