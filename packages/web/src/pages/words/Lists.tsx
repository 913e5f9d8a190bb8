import { useState } from "preact/hooks"
import { text } from "../../i18n/Text.ts"
import { day, moment } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place } from "../../navigation/Location.ts"
import { Button } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { Badge, Empty } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { act } from "../admin/Acts.ts"
import { ListView, perPage, startOfPage } from "../admin/ListView.tsx"
import { ListDialog } from "./ListDialog.tsx"
import { type Watcher, watching, type WordList } from "./Watching.ts"

const t = text("words")
const common = text("common")

const sorts = ["listName", "-listName", "updatedAt", "-updatedAt", "-createdAt"] as const

/** So many words of a list are shown. */
const shown = 8

const Words = ({ list: { subscriptionUrl, words } }: { readonly list: WordList }) => (
  <div class="who">
    <span class="soft">
      {words.slice(0, shown).join(", ")}
      {words.length > shown && ` ${t("more", { count: words.length - shown })}`}
    </span>
    {subscriptionUrl !== null && <Badge>{t("subscribed", { address: subscriptionUrl })}</Badge>}
  </div>
)

interface Acts {
  readonly onEdit: (list: WordList) => void
  readonly onDelete: (list: WordList) => void
}

const columns = ({ onDelete, onEdit }: Acts): ReadonlyArray<Column<WordList>> => [
  { key: "name", label: t("name"), sort: "listName", cell: (it) => <strong>{it.listName}</strong> },
  { key: "words", label: t("words"), wide: true, cell: (it) => <Words list={it} /> },
  {
    key: "updatedAt",
    label: t("changed"),
    sort: "updatedAt",
    cell: (it) => (
      <time dateTime={it.updatedAt} title={moment(it.updatedAt)}>
        {day(it.updatedAt)}
      </time>
    )
  },
  {
    key: "acts",
    label: t("acts"),
    quiet: true,
    align: "end",
    // What came by a subscription is its publisher's to change.
    cell: (it) =>
      it.subscriptionUrl === null && (
        <Menu
          label={common("actions", { name: it.listName })}
          icon="dots"
          kind="quiet"
          items={[
            { label: t("edit"), icon: "pencil", onSelect: () => onEdit(it) },
            { label: t("delete"), icon: "trash", danger: true, onSelect: () => onDelete(it) }
          ]}
        />
      )
  }
]

/** The lists of words of a watcher: made, changed and deleted. */
export const Lists = ({ by }: { readonly by: Watcher }) => {
  const sort = sorts.find((it) => it === place.value.query.get("sort")) ?? "-createdAt"
  const start = startOfPage()
  const [open, setOpen] = useState<{ readonly list: WordList | undefined }>()
  const list = useLoad(`words ${by} ${sort} ${start}`, (signal) =>
    watching(by).lists({ sort, start, count: perPage }, signal)
  )
  const remove = async ({ id, listName }: WordList): Promise<void> => {
    const yes = await confirm({
      title: t("deleteAsk", { name: listName }),
      text: t("deleteText"),
      action: t("delete"),
      danger: true
    })
    if (yes && (await act(watching(by).remove(id), t("deleted", { name: listName })))) await list.again()
  }
  return (
    <>
      <ListView
        label={t("lists")}
        list={list}
        columns={columns({ onEdit: (it) => setOpen({ list: it }), onDelete: (it) => void remove(it) })}
        keyOf={(it) => String(it.id)}
        nameOf={(it) => it.listName}
        sort={sort}
        tools={
          <Button icon="plus" kind="primary" onClick={() => setOpen({ list: undefined })}>
            {t("create")}
          </Button>
        }
        empty={<Empty icon="eye" title={t("emptyTitle")} text={t("emptyText", { by })} />}
      />
      {open !== undefined && (
        <ListDialog
          by={by}
          list={open.list}
          onClose={() => setOpen(undefined)}
          onSaved={() => {
            setOpen(undefined)
            void list.again()
          }}
        />
      )}
    </>
  )
}
