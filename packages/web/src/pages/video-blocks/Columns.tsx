import { text } from "../../i18n/Text.ts"
import { day, moment } from "../../i18n/Units.ts"
import { Menu } from "../../ui/Menu.tsx"
import { Badge } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { handleOf } from "../admin/People.tsx"
import { addressOf, type VideoBlock, waits } from "./VideoBlocks.ts"

const t = text("blocks")
const common = text("common")

/** What can be done with one row. */
export interface BlockActs {
  readonly unblock: (block: VideoBlock) => void
  readonly reason: (block: VideoBlock) => void
  readonly note: (block: VideoBlock) => void
}

const VideoCell = ({ block }: { readonly block: VideoBlock }) => (
  <div class="blocked-video">
    <img src={block.video.thumbnailPath} alt="" width={96} height={54} loading="lazy" />
    <div class="who">
      <a class="plain-link" href={addressOf(block)}>
        {block.video.name}
      </a>
      <a class="soft" href={`/a/${handleOf(block.video.account)}`}>
        @{handleOf(block.video.account)}
      </a>
    </div>
  </div>
)

/** The columns of the list of blocked videos. */
export const columns = (acts: BlockActs): ReadonlyArray<Column<VideoBlock>> => [
  { key: "video", label: t("video"), sort: "name", wide: true, cell: (it) => <VideoCell block={it} /> },
  {
    key: "type",
    label: t("type"),
    cell: (it) => (
      <div class="badges">
        <Badge kind={waits(it) ? "warn" : "bad"}>{t("typeName", { type: it.type })}</Badge>
        {it.unfederated && <Badge>{t("unfederated")}</Badge>}
      </div>
    )
  },
  {
    key: "reason",
    label: t("reason"),
    cell: (it) => (
      <div class="who">
        <span>{it.reason ?? "–"}</span>
        {it.internalNote !== null && <span class="soft">{t("noteLine", { note: it.internalNote })}</span>}
      </div>
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
    cell: (it) => (
      <Menu
        label={common("actions", { name: it.video.name })}
        icon="dots"
        kind="quiet"
        items={[
          { label: waits(it) ? t("accept") : t("unblock"), icon: "check", onSelect: () => acts.unblock(it) },
          { label: t("changeReason"), icon: "pencil", onSelect: () => acts.reason(it) },
          { label: t("changeNote"), icon: "chat", onSelect: () => acts.note(it) },
          { label: t("watch"), icon: "play", href: addressOf(it) }
        ]}
      />
    )
  }
]
