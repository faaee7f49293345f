/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An adb server that says what a test wants: connection n plays script n, each
 * in a thread of its own.  Several connections may be open at once.
 */
#ifndef TEST_HELPER_FAKEADB_H
#define TEST_HELPER_FAKEADB_H

#include <abrig/adb.h>

#define FAKE_SERIAL "SER1"
#define FAKE_MAX_STEPS 24

enum fake_op {
	FAKE_END,    /* close the connection */
	FAKE_EXPECT, /* read a framed request, which must be @data */
	FAKE_READ,   /* read bytes, which must be @data */
	FAKE_SEND,
	FAKE_DRIP,	 /* send byte by byte */
	FAKE_BLOCK,	 /* send OKAY and @data as a framed block */
	FAKE_FAIL,	 /* send FAIL and @data as its message */
	FAKE_FLOOD,	 /* send @data again and again until it fails */
	FAKE_PAUSE,	 /* 100 ms */
	FAKE_HANG,	 /* say nothing until the client closes */
	FAKE_BIG_OUTPUT, /* send 4 MiB as shell output, then read 4 MiB */
};

struct fake_step {
	enum fake_op op;
	const char *data;
	size_t len;
};

/* @data is a literal, NUL bytes included. */
#define FAKE(op_, data_)                             \
	{                                            \
		FAKE_##op_, data_, sizeof(data_) - 1 \
	}
#define FAKE_OPEN(service)                                               \
	FAKE(EXPECT, "host:transport:" FAKE_SERIAL), FAKE(SEND, "OKAY"), \
		FAKE(EXPECT, service), FAKE(SEND, "OKAY")
#define FAKE_NO_STDIN FAKE(READ, "\x04\0\0\0\0")
#define FAKE_V2 "shell_v2,cmd,stat_v2,ls_v2"
#define FAKE_FEATURES(list)                                           \
	{                                                             \
		FAKE(EXPECT, "host-serial:" FAKE_SERIAL ":features"), \
			FAKE(BLOCK, list)                             \
	}

typedef struct fake_step fake_script[FAKE_MAX_STEPS];

struct fake_adb;

/* The first @count connections play @scripts; others are closed at once. */
struct fake_adb *fake_adb_start(const fake_script *scripts, guint count);
/* Ends all; fails the test unless @count connections came. */
void fake_adb_stop(struct fake_adb *fake);
/* A client of it; freed with it. */
struct ab_adb *fake_adb_client(struct fake_adb *fake);

/* A wait of @ms host milliseconds without an interrupt. */
struct ab_wait fake_wait(gint64 ms);

#endif
