// SPDX-License-Identifier: GPL-3.0-or-later
/* Part of every fuzzer. */
#include <glib.h>
#include <signal.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);

static void trapped(int signal_number)
{
	(void)signal_number;
	abort();
}

/* g_error() ends in SIGTRAP, of which libFuzzer keeps no input. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	signal(SIGTRAP, trapped);
	return 0;
}
