import { VideoImportState } from "@kinora/domain/enums/VideoImportState"
import { text } from "../../i18n/Text.ts"
import { moment } from "../../i18n/Units.ts"
import { Menu, type MenuItem } from "../../ui/Menu.tsx"
import { Badge, Progress } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { cancel, type Import, isOpen, isRetryable, nameOf, remove, retry, sourceWords } from "./Imports.ts"

const t = text("imports")
const common = text("common")

const kinds: Readonly<Record<number, "good" | "warn" | "bad">> = {
  [VideoImportState.success]: "good",
  [VideoImportState.processing]: "warn",
  [VideoImportState.failed]: "bad",
  [VideoImportState.rejected]: "bad"
}

const Name = ({ of: it }: { readonly of: Import }) => {
  const source = sourceWords(it)
  return (
    <div class="who">
      {it.video === undefined || it.video === null ? (
        <span class="soft">{t("videoGone")}</span>
      ) : (
        <a class="plain-link" href={`/my/videos/${it.video.shortUUID}`}>
          {it.video.name}
        </a>
      )}
      <span class="soft i-source" title={source}>
        {source}
      </span>
      {it.videoChannelSync !== undefined && (
        <span class="soft">{t("bySync", { address: it.videoChannelSync.externalChannelUrl })}</span>
      )}
      {it.error !== undefined && <span class="job-error">{it.error}</span>}
    </div>
  )
}

const State = ({ of: it }: { readonly of: Import }) => (
  <div class="job-state">
    <Badge kind={kinds[it.state.id] ?? "plain"}>{t("stateName", { state: it.state.id })}</Badge>
    {it.state.id === VideoImportState.processing && <Progress label={t("progressOf", { name: nameOf(it) })} />}
    {it.attempts > 1 && <span class="soft">{t("attempts", { count: it.attempts })}</span>}
  </div>
)

/** What can be done with an import as it is. */
const itemsOf = (it: Import, run: (act: () => Promise<boolean>) => void): ReadonlyArray<MenuItem> => [
  ...(it.video === undefined || it.video === null
    ? []
    : [
        { label: t("edit"), icon: "pencil", href: `/my/videos/${it.video.shortUUID}` } as const,
        ...(it.state.id === VideoImportState.success
          ? [{ label: t("watch"), icon: "play", href: `/w/${it.video.shortUUID}` } as const]
          : [])
      ]),
  ...(isRetryable(it) ? [{ label: t("retry"), icon: "retry", onSelect: () => run(() => retry([it])) } as const] : []),
  isOpen(it)
    ? { label: t("cancel"), icon: "close", danger: true, onSelect: () => run(() => cancel([it])) }
    : { label: t("remove"), icon: "trash", onSelect: () => run(() => remove([it])) }
]

/** The columns of the list of imports; `run` does an act and asks for the list again. */
export const columns = (run: (act: () => Promise<boolean>) => void): ReadonlyArray<Column<Import>> => [
  { key: "name", label: t("video"), wide: true, quiet: true, cell: (it) => <Name of={it} /> },
  { key: "state", label: t("state"), quiet: true, cell: (it) => <State of={it} /> },
  {
    key: "createdAt",
    label: t("begun"),
    sort: "createdAt",
    cell: (it) => <time dateTime={it.createdAt}>{moment(it.createdAt)}</time>
  },
  {
    key: "acts",
    label: t("acts"),
    quiet: true,
    align: "end",
    cell: (it) => (
      <Menu label={common("actions", { name: nameOf(it) })} icon="dots" kind="quiet" items={itemsOf(it, run)} />
    )
  }
]
