import { text } from "../../i18n/Text.ts"
import { clock, day, moment, number } from "../../i18n/Units.ts"
import { Menu } from "../../ui/Menu.tsx"
import type { Column } from "../../ui/Table.tsx"
import { State } from "./State.tsx"
import type { MyVideo } from "./Videos.ts"

const t = text("videos")
const common = text("common")

const Name = ({ video }: { readonly video: MyVideo }) => (
  <div class="v-name">
    <a class="v-thumb" href={`/w/${video.shortUUID}`} tabIndex={-1} aria-hidden="true">
      {video.thumbnailPath !== "" && <img src={video.thumbnailPath} alt="" loading="lazy" width="128" height="72" />}
      {!video.isLive && <span class="v-length">{clock(video.duration)}</span>}
    </a>
    <div class="v-facts">
      <a href={video.isLive ? `/my/lives/${video.shortUUID}` : `/w/${video.shortUUID}`}>{video.name}</a>
      <span>{video.channel.displayName}</span>
    </div>
  </div>
)

/** The columns of the list of one's own videos. */
export const columns = ({
  onRemove
}: {
  readonly onRemove: (video: MyVideo) => void
}): ReadonlyArray<Column<MyVideo>> => [
  { key: "name", label: t("video"), sort: "name", wide: true, quiet: false, cell: (it) => <Name video={it} /> },
  { key: "state", label: t("state"), cell: (it) => <State video={it} /> },
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
  { key: "views", label: t("views"), sort: "views", align: "end", cell: (it) => number(it.views) },
  { key: "comments", label: t("comments"), sort: "comments", align: "end", cell: (it) => number(it.comments) },
  {
    key: "acts",
    label: t("acts"),
    quiet: true,
    align: "end",
    cell: (it) => (
      <Menu
        label={common("actions", { name: it.name })}
        icon="dots"
        kind="quiet"
        items={[
          ...(it.isLive ? [{ label: t("controlRoom"), icon: "live", href: `/my/lives/${it.shortUUID}` } as const] : []),
          { label: t("edit"), icon: "pencil", href: `/my/videos/${it.shortUUID}` },
          { label: t("statistics"), icon: "chart", href: `/my/statistics/${it.shortUUID}` },
          { label: t("watch"), icon: "play", href: `/w/${it.shortUUID}` },
          { label: t("delete"), icon: "trash", danger: true, onSelect: () => onRemove(it) }
        ]}
      />
    )
  }
]
