import { AbuseState } from "../enums/AbuseState.ts"
import type { NotificationSettingKey } from "../enums/NotificationSetting.ts"
import type { Notification } from "../wire/Notification.ts"

/** A notification in words, and the page of ours that it leads to. */
export interface NotificationText {
  readonly title: string
  readonly path: string
}

interface Named {
  readonly name: string
  readonly displayName: string
  readonly host: string
}

const here = "/my-account/notifications"

/** Where invitations and offers are answered. */
const offers = "/my/ownership"

const watch = (video: { readonly shortUUID: string } | undefined): string =>
  video === undefined ? here : `/w/${video.shortUUID}`

const page = (kind: "a" | "c", { host, name }: Named, ownHost: string): string =>
  `/${kind}/${host === ownHost ? name : `${name}@${host}`}`

const quoted = (name: string | undefined): string => (name === undefined ? "a video" : `“${name}”`)

const imported = ({ videoImport: it }: Notification): string =>
  it?.video !== undefined ? quoted(it.video.name) : (it?.targetUrl ?? it?.torrentName ?? "a video")

/** Actors of instances have the same name everywhere; only hosts distinguish them. */
const instanceOf = (actor: Named | undefined): string => actor?.host ?? "Another instance"

type Writer = (notification: Notification, ownHost: string) => NotificationText

const commented =
  (what: string): Writer =>
  ({ comment }) => ({
    title: `${comment?.account.displayName ?? "Somebody"} ${what} ${quoted(comment?.video.name)}`,
    path: comment === undefined ? here : `${watch(comment.video)}#comment-${comment.threadId}`
  })

const ofVideo =
  (before: string, after: string): Writer =>
  (it) => {
    const video = it.video ?? it.videoBlacklist?.video
    return { title: `${before}${quoted(video?.name)} ${after}`, path: watch(video) }
  }

const collaborating =
  (who: "channelOwner" | "account", what: string, path?: string): Writer =>
  ({ videoChannelCollaborator: it }, ownHost) => ({
    title: `${it?.[who].displayName ?? "Somebody"} ${what} ${it?.channel.displayName ?? "a channel"}`,
    path: path ?? (it === undefined ? here : page("c", it.channel, ownHost))
  })

const owning =
  (who: "initiatorAccount" | "nextOwnerAccount", what: string, path?: string): Writer =>
  ({ changeOwnership: it }, ownHost) => ({
    title: `${it?.[who].displayName ?? "Somebody"} ${what} ${
      it?.channel === undefined ? quoted(it?.video?.name) : `the channel ${it.channel.displayName}`
    }`,
    path: path ?? (it?.channel === undefined ? watch(it?.video) : page("c", it.channel, ownHost))
  })

const published: Writer = ({ video }) => ({
  title: `${video?.channel.displayName ?? "A channel"} published ${quoted(video?.name)}`,
  path: watch(video)
})

/** What a report is about, in words, and its page; undefined: it is gone. */
const reportedThing = ({ abuse }: Notification, ownHost: string): NotificationText | undefined => {
  if (abuse?.comment !== undefined) {
    const { threadId, video } = abuse.comment
    return { title: `a comment on ${quoted(video.name)}`, path: `${watch(video)}#comment-${threadId}` }
  }
  if (abuse?.account !== undefined) {
    return { title: abuse.account.displayName, path: page("a", abuse.account, ownHost) }
  }
  return abuse?.video === undefined ? undefined : { title: quoted(abuse.video.name), path: watch(abuse.video) }
}

const reported: Writer = (it, ownHost) => {
  const thing = reportedThing(it, ownHost)
  if (thing === undefined) return { title: "Something was reported that is gone by now", path: here }
  const { path, title } = thing
  return { title: `${it.abuse?.comment === undefined ? title : `A${title.slice(1)}`} was reported`, path }
}

const ofReport =
  (before: string, after: (notification: Notification) => string): Writer =>
  (it, ownHost) => {
    const thing = reportedThing(it, ownHost)
    const what = thing === undefined ? "" : ` of ${thing.title}`
    return { title: `${before} report${what}${after(it)}`, path: thing?.path ?? here }
  }

const writers: Readonly<Record<number, Writer>> = {
  1: published,
  2: (it, ownHost) =>
    commented(it.comment?.heldForReview === true ? "waits for your review of a comment on" : "commented on")(
      it,
      ownHost
    ),
  3: reported,
  4: ofVideo("", "was blocked by a moderator"),
  5: ofVideo("", "is no longer blocked"),
  6: ofVideo("Your video ", "is published"),
  7: (it) => ({ title: `${imported(it)} was imported`, path: watch(it.videoImport?.video) }),
  8: (it) => ({ title: `${imported(it)} could not be imported`, path: "/my/imports" }),
  9: ({ account }, ownHost) => ({
    title: `${account?.displayName ?? "Somebody"} has registered`,
    path: account === undefined ? here : page("a", account, ownHost)
  }),
  10: ({ actorFollow: it }, ownHost) => ({
    title: `${it?.follower.displayName ?? "Somebody"} follows ${
      it?.following.type === "channel" ? `your channel ${it.following.displayName}` : "you"
    }`,
    path: it === undefined ? here : page("a", it.follower, ownHost)
  }),
  11: commented("mentioned you in a comment on"),
  12: ofVideo("", "was blocked automatically and waits for a moderator"),
  13: ({ actorFollow: it }) => ({
    title: `${instanceOf(it?.follower)} ${it?.state === "pending" ? "asks to follow" : "follows"} your instance`,
    path: "/admin/follows?tab=followers"
  }),
  14: ({ actorFollow: it }) => ({
    title: `Your instance follows ${instanceOf(it?.following)} back`,
    path: "/admin/follows"
  }),
  15: ofReport("Your", ({ abuse }) => (abuse?.state === AbuseState.accepted ? " was accepted" : " was rejected")),
  16: ofReport("There is a new message about the", () => ""),
  20: ({ registration }) => ({ title: `${registration?.username ?? "Somebody"} asks for an account`, path: here }),
  21: ({ video }) => ({
    title: `${video?.channel.displayName ?? "A channel"} is live: ${quoted(video?.name)}`,
    path: watch(video)
  }),
  23: collaborating("channelOwner", "invites you to work on the channel", offers),
  24: collaborating("account", "accepted your invitation to work on the channel"),
  25: collaborating("account", "declined your invitation to work on the channel"),
  26: owning("initiatorAccount", "wants to give you", offers),
  27: owning("nextOwnerAccount", "took over"),
  28: owning("nextOwnerAccount", "declined to take over"),
  29: owning("initiatorAccount", "wants to give you", offers),
  30: owning("nextOwnerAccount", "took over"),
  31: owning("nextOwnerAccount", "declined to take over")
}

/** What a notification says. Names in it are what people chose: text, never markup. */
export const notificationText = (notification: Notification, ownHost: string): NotificationText =>
  writers[notification.type]?.(notification, ownHost) ?? { title: "Something new", path: here }

/** The settings that people are offered, in their order: not those of what this instance does not do yet. */
export const offeredSettings = [
  "newVideoFromSubscription",
  "newCommentOnMyVideo",
  "commentMention",
  "newFollow",
  "myVideoPublished",
  "myVideoImportFinished",
  "blacklistOnMyVideo",
  "abuseStateChange",
  "abuseNewMessage",
  "announcement",
  "newInstanceFollower",
  "autoInstanceFollowing",
  "newUserRegistration",
  "abuseAsModerator",
  "videoAutoBlacklistAsModerator"
] as const satisfies ReadonlyArray<NotificationSettingKey>
