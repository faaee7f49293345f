// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Notifications of the shell command's recent version: one constant id, so
 * that only the tag makes a notification distinct; attributed to the caller's
 * package; grouped behind a summary from the second one on.
 */
#include "android.h"

#include <string.h>

#define PACKAGE_MAX 50 /* MAX_PACKAGE_NOTIFICATIONS */
#define GROUP_AT 2     /* config_autoGroupAtCount */
#define ENQUEUE_NS (40 * VP_MSEC)
#define SUMMARY_ID G_MAXINT32
#define SUMMARY_TAG "ranker_group"

void vp_notification_free(struct vp_notification *n)
{
	g_free(n->tag);
	g_free(n->title);
	g_free(n->text);
	g_free(n->pkg);
	g_free(n);
}

char *vp_notification_key(const struct vp_notification *n)
{
	bool summary = n->id == SUMMARY_ID && vp_is(n->tag, SUMMARY_TAG);

	return g_strdup_printf("%d|%s|%d|%s|%d%s", n->user, n->pkg, n->id,
			       n->tag ? n->tag : "null", n->uid,
			       summary ? "|" SUMMARY_TAG : "");
}

static struct vp_notification *at(const struct vphone *vp, guint i)
{
	return g_ptr_array_index(vp->notifications, i);
}

static void add(struct vphone *vp, const struct vp_notification *model)
{
	struct vp_notification *n = g_new(struct vp_notification, 1);

	*n = *model;
	n->tag = g_strdup(model->tag);
	n->title = g_strdup(model->title);
	n->text = g_strdup(model->text);
	n->pkg = g_strdup(model->pkg);
	n->posted_ns = vp_now_ns(vp) +
		       (n->id == VP_SHELL_NOTIFICATION ? ENQUEUE_NS : 0);
	g_ptr_array_add(vp->notifications, n);
}

void vp_notifications_boot(struct vphone *vp)
{
	static const struct vp_notification system[] = {
		{ .pkg = "android",
		  .id = 26,
		  .uid = 1000,
		  .user = -1,
		  .ongoing = true,
		  .title = "USB debugging connected",
		  .text = "Tap to turn off USB debugging" },
		{ .pkg = "android",
		  .id = 32,
		  .uid = 1000,
		  .user = -1,
		  .ongoing = true,
		  .title = "Charging this device via USB",
		  .text = "Tap for more options." },
	};

	if (!vp->notifications)
		vp->notifications = g_ptr_array_new();
	g_ptr_array_set_free_func(vp->notifications,
				  (GDestroyNotify)vp_notification_free);
	g_ptr_array_set_size(vp->notifications, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(system); i++)
		add(vp, &system[i]);
}

/* Enqueued is not posted yet. */
bool vp_notification_posted(const struct vphone *vp,
			    const struct vp_notification *n)
{
	return vp_now_ns(vp) >= n->posted_ns;
}

/* The index of the first match of package, id and tag; -1: none. */
static int find(const struct vphone *vp, const char *pkg, int id,
		const char *tag)
{
	for (guint i = 0; i < vp->notifications->len; i++)
		if (at(vp, i)->id == id && vp_is(at(vp, i)->pkg, pkg) &&
		    vp_is(at(vp, i)->tag, tag))
			return (int)i;
	return -1;
}

static unsigned count(const struct vphone *vp, const char *pkg)
{
	unsigned n = 0;

	for (guint i = 0; i < vp->notifications->len; i++)
		n += vp_is(at(vp, i)->pkg, pkg) && !at(vp, i)->ongoing &&
		     at(vp, i)->id != SUMMARY_ID;
	return n;
}

/* The system adds and removes the summary as the count changes. */
static void regroup(struct vphone *vp, const char *pkg, int uid)
{
	int summary = find(vp, pkg, SUMMARY_ID, SUMMARY_TAG);
	bool wanted = count(vp, pkg) >= GROUP_AT;
	struct vp_notification model = { .tag = (char *)SUMMARY_TAG,
					 .title = NULL,
					 .pkg = (char *)pkg,
					 .id = SUMMARY_ID,
					 .uid = uid };

	if (wanted && summary < 0)
		add(vp, &model);
	else if (!wanted && summary >= 0)
		g_ptr_array_remove_index(vp->notifications, (guint)summary);
}

unsigned vp_notifications_cancel(struct vphone *vp, const char *package)
{
	unsigned gone = 0;

	for (guint i = vp->notifications->len; i-- > 0;) {
		if (!vp_is(at(vp, i)->pkg, package) || at(vp, i)->ongoing)
			continue;
		g_ptr_array_remove_index(vp->notifications, i);
		gone++;
	}
	return gone;
}

bool vp_notification_post(struct vphone *vp, int uid, const char *tag,
			  const char *title, const char *text)
{
	const char *pkg = uid == 0 ? "root" : "com.android.shell";
	struct vp_notification model = { .tag = (char *)tag,
					 .title = (char *)title,
					 .text = (char *)text,
					 .pkg = (char *)pkg,
					 .id = VP_SHELL_NOTIFICATION,
					 .uid = uid };
	int old = find(vp, pkg, VP_SHELL_NOTIFICATION, tag);

	if (old >= 0) {
		g_free(at(vp, (guint)old)->text);
		at(vp, (guint)old)->text = g_strdup(text);
		return true;
	}
	if (count(vp, pkg) >= PACKAGE_MAX)
		return false;
	add(vp, &model);
	regroup(vp, pkg, uid);
	return true;
}
