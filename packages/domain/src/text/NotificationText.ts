import { AbuseState } from "../enums/AbuseState.ts"
import type { NotificationSettingKey } from "../enums/NotificationSetting.ts"
import type { ValuesOf } from "../i18n/Arguments.ts"
import type { messages } from "../messages/en/notices.ts"
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

/** Says a message of notices in some language. */
export type SayNotice = <K extends keyof typeof messages>(key: K, ...values: ValuesOf<(typeof messages)[K]>) => string

/** What the writers of notices have: the notification, what is meant by "here", and a language. */
interface Writing {
  readonly it: Notification
  readonly ownHost: string
  readonly say: SayNotice
}

type Writer = (writing: Writing) => NotificationText

const quoted = (say: SayNotice, name: string | undefined): string =>
  name === undefined ? say("aVideo") : say("quoted", { name })

const imported = ({ it: { videoImport: it }, say }: Writing): string =>
  it?.video !== undefined ? quoted(say, it.video.name) : (it?.targetUrl ?? it?.torrentName ?? say("aVideo"))

const somebody = (say: SayNotice, named: Named | undefined): string => named?.displayName ?? say("somebody")

/** Actors of instances have the same name everywhere; only hosts distinguish them. */
const instanceOf = (say: SayNotice, actor: Named | undefined): string => actor?.host ?? say("anotherInstance")

const commented =
  (key: "commented" | "waitsForReview" | "mentioned"): Writer =>
  ({ it: { comment }, say }) => ({
    title: say(key, { who: somebody(say, comment?.account), video: quoted(say, comment?.video.name) }),
    path: comment === undefined ? here : `${watch(comment.video)}#comment-${comment.threadId}`
  })

const ofVideo =
  (key: "blocked" | "unblocked" | "yourPublished" | "autoBlocked"): Writer =>
  ({ it, say }) => {
    const video = it.video ?? it.videoBlacklist?.video
    return { title: say(key, { video: quoted(say, video?.name) }), path: watch(video) }
  }

const collaborating =
  (
    who: "channelOwner" | "account",
    key: "invites" | "invitationAccepted" | "invitationDeclined",
    path?: string
  ): Writer =>
  ({ it: { videoChannelCollaborator: it }, ownHost, say }) => ({
    title: say(key, { who: somebody(say, it?.[who]), channel: it?.channel.displayName ?? say("aChannel") }),
    path: path ?? (it === undefined ? here : page("c", it.channel, ownHost))
  })

const owning =
  (who: "initiatorAccount" | "nextOwnerAccount", key: "offers" | "tookOver" | "declinedOver", path?: string): Writer =>
  ({ it: { changeOwnership: it }, ownHost, say }) => ({
    title: say(key, {
      who: somebody(say, it?.[who]),
      what:
        it?.channel === undefined ? quoted(say, it?.video?.name) : say("theChannel", { name: it.channel.displayName })
    }),
    path: path ?? (it?.channel === undefined ? watch(it?.video) : page("c", it.channel, ownHost))
  })

const ofChannel =
  (key: "published" | "live"): Writer =>
  ({ it: { video }, say }) => ({
    title: say(key, {
      channel: video?.channel.displayName ?? say("someChannel"),
      video: quoted(say, video?.name)
    }),
    path: watch(video)
  })

/** What a report is about, in words, and its page; undefined: it is gone. */
const reportedThing = ({ it: { abuse }, ownHost, say }: Writing): NotificationText | undefined => {
  if (abuse?.comment !== undefined) {
    const { threadId, video } = abuse.comment
    return {
      title: say("aComment", { video: quoted(say, video.name) }),
      path: `${watch(video)}#comment-${threadId}`
    }
  }
  if (abuse?.account !== undefined) {
    return { title: abuse.account.displayName, path: page("a", abuse.account, ownHost) }
  }
  return abuse?.video === undefined ? undefined : { title: quoted(say, abuse.video.name), path: watch(abuse.video) }
}

const reported: Writer = (writing) => {
  const { it, say } = writing
  const thing = reportedThing(writing)
  if (thing === undefined) return { title: say("reportedGone"), path: here }
  const title =
    it.abuse?.comment === undefined
      ? say("reported", { what: thing.title })
      : say("reportedComment", { video: quoted(say, it.abuse.comment.video.name) })
  return { title, path: thing.path }
}

const ofReport =
  (keyOf: (notification: Notification) => "reportAccepted" | "reportRejected" | "reportMessage"): Writer =>
  (writing) => {
    const thing = reportedThing(writing)
    const values = { known: thing === undefined ? "no" : "yes", what: thing?.title ?? "" }
    return { title: writing.say(keyOf(writing.it), values), path: thing?.path ?? here }
  }

const writers: Readonly<Record<number, Writer>> = {
  1: ofChannel("published"),
  2: (writing) => commented(writing.it.comment?.heldForReview === true ? "waitsForReview" : "commented")(writing),
  3: reported,
  4: ofVideo("blocked"),
  5: ofVideo("unblocked"),
  6: ofVideo("yourPublished"),
  7: (writing) => ({
    title: writing.say("imported", { video: imported(writing) }),
    path: watch(writing.it.videoImport?.video)
  }),
  8: (writing) => ({ title: writing.say("notImported", { video: imported(writing) }), path: "/my/imports" }),
  9: ({ it: { account }, ownHost, say }) => ({
    title: say("registered", { who: somebody(say, account) }),
    path: account === undefined ? here : page("a", account, ownHost)
  }),
  10: ({ it: { actorFollow: it }, ownHost, say }) => ({
    title:
      it?.following.type === "channel"
        ? say("followsChannel", { who: somebody(say, it.follower), channel: it.following.displayName })
        : say("follows", { who: somebody(say, it?.follower) }),
    path: it === undefined ? here : page("a", it.follower, ownHost)
  }),
  11: commented("mentioned"),
  12: ofVideo("autoBlocked"),
  13: ({ it: { actorFollow: it }, say }) => ({
    title: say(it?.state === "pending" ? "instanceAsks" : "instanceFollows", { host: instanceOf(say, it?.follower) }),
    path: "/admin/follows?tab=followers"
  }),
  14: ({ it: { actorFollow: it }, say }) => ({
    title: say("followsBack", { host: instanceOf(say, it?.following) }),
    path: "/admin/follows"
  }),
  15: ofReport(({ abuse }) => (abuse?.state === AbuseState.accepted ? "reportAccepted" : "reportRejected")),
  16: ofReport(() => "reportMessage"),
  20: ({ it: { registration }, say }) => ({
    title: say("asksForAccount", { who: registration?.username ?? say("somebody") }),
    path: here
  }),
  21: ofChannel("live"),
  23: collaborating("channelOwner", "invites", offers),
  24: collaborating("account", "invitationAccepted"),
  25: collaborating("account", "invitationDeclined"),
  26: owning("initiatorAccount", "offers", offers),
  27: owning("nextOwnerAccount", "tookOver"),
  28: owning("nextOwnerAccount", "declinedOver"),
  29: owning("initiatorAccount", "offers", offers),
  30: owning("nextOwnerAccount", "tookOver"),
  31: owning("nextOwnerAccount", "declinedOver")
}

/** What a notification says. Names in it are what people chose: text, never markup. */
export const notificationText = (notification: Notification, ownHost: string, say: SayNotice): NotificationText =>
  writers[notification.type]?.({ it: notification, ownHost, say }) ?? { title: say("other"), path: here }

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
