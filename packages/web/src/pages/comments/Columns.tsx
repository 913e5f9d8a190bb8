import { text } from "../../i18n/Text.ts"
import { day, moment } from "../../i18n/Units.ts"
import { mayUse, me } from "../../session/Me.ts"
import { Avatar } from "../../ui/Avatar.tsx"
import { Menu, type MenuItem } from "../../ui/Menu.tsx"
import { Badge } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { handleOf } from "../admin/People.tsx"
import { approve, type Comment, mute, remove, removeAllOf, type Reviewing } from "./Acts.ts"

const t = text("review")
const common = text("common")

/** What a row is called in labels. */
export const nameOf = (comment: Comment): string => t("commentOf", { name: comment.account.displayName })

const addressOf = ({ id, threadId, video }: Comment): string =>
  `/w/${video.shortUUID};threadId=${threadId}#comment-${id}`

const Words = ({ comment }: { readonly comment: Comment }) => (
  <div class="c-words">
    <Avatar name={comment.account.displayName} pictures={comment.account.avatars} size={36} />
    <div>
      <strong>{comment.account.displayName}</strong> <span class="soft">@{handleOf(comment.account)}</span>
      <p>{comment.text}</p>
      {(comment.heldForReview || comment.automaticTags.length > 0) && (
        <span class="acts">
          {comment.heldForReview && <Badge kind="warn">{t("waiting")}</Badge>}
          {comment.automaticTags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
      )}
    </div>
  </div>
)

/** The columns of the list of comments; `run` does an act and asks for the list again. */
export const columns = (by: Reviewing, run: (act: () => Promise<boolean>) => void): ReadonlyArray<Column<Comment>> => [
  { key: "words", label: t("author"), wide: true, quiet: true, cell: (it) => <Words comment={it} /> },
  {
    key: "video",
    label: t("video"),
    cell: (it) => (
      <a class="c-video" href={`/w/${it.video.shortUUID}`}>
        {it.video.name}
      </a>
    )
  },
  {
    key: "date",
    label: t("date"),
    sort: "createdAt",
    cell: (it) => (
      <time dateTime={it.createdAt} title={moment(it.createdAt)}>
        {day(it.createdAt)}
      </time>
    )
  },
  {
    key: "acts",
    label: t("acts"),
    quiet: true,
    align: "end",
    cell: (it) => {
      const approval: ReadonlyArray<MenuItem> = it.heldForReview
        ? [{ label: t("approve"), icon: "check", onSelect: () => run(() => approve([it])) }]
        : []
      const author: ReadonlyArray<MenuItem> =
        it.account.id === me.value?.account.id
          ? []
          : [
              ...(by === "users/me" || mayUse("MANAGE_ACCOUNTS_BLOCKLIST")
                ? [
                    {
                      label: by === "server" ? t("muteForAll") : t("mute"),
                      icon: "mute" as const,
                      onSelect: () => run(() => mute(by, it))
                    }
                  ]
                : []),
              { label: t("deleteAllOf"), icon: "trash", danger: true, onSelect: () => run(() => removeAllOf(by, it)) }
            ]
      return (
        <Menu
          label={common("actions", { name: nameOf(it) })}
          icon="dots"
          kind="quiet"
          items={[
            ...approval,
            { label: t("open"), icon: "play", href: addressOf(it) },
            { label: t("delete"), icon: "trash", danger: true, onSelect: () => run(() => remove([it])) },
            ...author
          ]}
        />
      )
    }
  }
]
