// SPDX-License-Identifier: GPL-3.0-or-later
/* Commands that go on in the background after their caller has returned. */
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client/vphone-cmd.h"
#include "vphone.h"

#define FORK_TIMEOUT_MS 5000

pid_t vp_call_detach(struct vp_call *call)
{
	gint32 message = VPHONE_CMD_DETACH, pid;
	struct pollfd p = { .fd = call->peer, .events = POLLIN };

	if (send(call->peer, &message, sizeof(message), MSG_NOSIGNAL) < 0)
		return -1;
	while (poll(&p, 1, FORK_TIMEOUT_MS) > 0) {
		ssize_t n = recv(call->peer, &pid, sizeof(pid), 0);
		if (n == (ssize_t)sizeof(pid))
			return pid;
		/* One byte is a signal; it came too early to mean anything. */
		if (n != 1)
			return -1;
	}
	return -1;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void vp_call_release(struct vp_call *call, int status)
{
	gint32 message = status;

	/* Before the caller returns, or who waits for its output goes on. */
	close_fd(&call->in);
	close_fd(&call->out);
	close_fd(&call->err);
	send(call->peer, &message, sizeof(message), MSG_NOSIGNAL);
}
