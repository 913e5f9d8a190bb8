import { text } from "../../i18n/Text.ts"
import { bytes, day, moment } from "../../i18n/Units.ts"
import { Button } from "../../ui/Button.tsx"
import { Badge } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { hostOf, type Mirror, type Target } from "./Mirrors.ts"

const t = text("redundancy")

const Day = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={moment(at)}>
    {day(at)}
  </time>
)

/** Messages name what has a hyphen with an underscore. */
const strategyName = (strategy: string): string => t("strategyName", { strategy: strategy.replaceAll("-", "_") })

/** The columns of either list: whose host is named, and why there is a mirror, differ. */
export const columns = (target: Target, onRemove: (mirror: Mirror) => void): ReadonlyArray<Column<Mirror>> => [
  {
    key: "name",
    label: t("video"),
    sort: "name",
    wide: true,
    cell: (it) => (
      <div class="who">
        <a class="plain-link" href={`/w/${it.uuid}`}>
          {it.name}
        </a>
        <span class="soft">
          {target === "remote-videos" ? t("of", { host: hostOf(it.url) }) : t("keptBy", { host: hostOf(it.fileUrl) })}
        </span>
      </div>
    )
  },
  ...(target === "remote-videos"
    ? [
        {
          key: "strategy",
          label: t("strategy"),
          cell: (it: Mirror) => <Badge>{strategyName(it.strategy ?? "manual")}</Badge>
        }
      ]
    : []),
  { key: "size", label: t("size"), align: "end", cell: (it) => <span class="one-line">{bytes(it.size)}</span> },
  { key: "createdAt", label: t("since"), cell: (it) => <Day at={it.createdAt} /> },
  {
    key: "expiresOn",
    label: t("expires"),
    cell: (it) => (it.expiresOn === null ? t("never") : <Day at={it.expiresOn} />)
  },
  {
    key: "acts",
    label: t("acts"),
    quiet: true,
    align: "end",
    cell: (it) => (
      <Button kind="quiet" small icon="trash" label={t("removeOne", { name: it.name })} onClick={() => onRemove(it)} />
    )
  }
]
