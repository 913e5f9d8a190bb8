import { publicAudience } from "@kinora/federation/activities/Audience"
import type { OutgoingActivity } from "@kinora/federation/activities/OutgoingActivity"
import type { NoteDocument, TombstoneDocument } from "@kinora/federation/documents/NoteDocument"
import type { NoteRow } from "@kinora/storage/federation/activitypub/rows/NoteRow"

/** Where the owner of a video of this instance approves a comment below it. */
export const approvalUrl = (videoUuid: string, commentId: number, origin: string): string =>
  `${origin}/videos/watch/${videoUuid}/comments/${commentId}/approve-reply`

/** Also of a comment whose account is gone. */
const tombstone = (note: NoteRow, deletedAt: Date): TombstoneDocument => ({
  id: note.url,
  type: "Tombstone",
  formerType: "Note",
  inReplyTo: note.inReplyTo,
  published: note.createdAt.toISOString(),
  updated: note.updatedAt.toISOString(),
  deleted: deletedAt.toISOString()
})

const replyApprovalOf = (note: NoteRow, origin: string): string | null => {
  if (note.video.isRemote) return note.replyApprovalUrl
  return note.isHeld ? null : approvalUrl(note.video.uuid, note.id, origin)
}

/** The object of a comment of this instance, or what is left of a deleted one. */
export const noteDocument = (note: NoteRow, origin: string): NoteDocument | TombstoneDocument => {
  const { authorUrl, deletedAt, mentions, video } = note
  if (deletedAt !== null || authorUrl === null) return tombstone(note, deletedAt ?? note.updatedAt)
  const { host } = new URL(origin)
  const followers = video.isRemote ? video.ownerUrl : `${video.channelUrl}/followers`
  return {
    ...publicAudience([], [`${authorUrl}/followers`, followers, ...mentions.map(({ url }) => url)]),
    type: "Note",
    id: note.url,
    content: note.text,
    mediaType: "text/markdown",
    inReplyTo: note.inReplyTo,
    updated: note.updatedAt.toISOString(),
    published: note.createdAt.toISOString(),
    url: note.url,
    attributedTo: authorUrl,
    replyApproval: replyApprovalOf(note, origin),
    tag: mentions.map((it) => ({ type: "Mention", href: it.url, name: `@${it.username}@${it.host ?? host}` })),
    audience: video.channelUrl
  }
}

/** The activity that published a comment; undefined of a deleted one. */
export const createdNote = (note: NoteDocument | TombstoneDocument): OutgoingActivity | undefined =>
  note.type === "Note"
    ? {
        to: note.to,
        cc: note.cc,
        type: "Create",
        id: `${note.id}/activity`,
        actor: note.attributedTo,
        object: note
      }
    : undefined
