import { UserRegistrationState, userRegistrationStates } from "@kinora/domain/enums/UserRegistrationState"
import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { day, moment } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place } from "../../navigation/Location.ts"
import { mayUse } from "../../session/Me.ts"
import { Button } from "../../ui/Button.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { Badge, Empty } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { SearchBox } from "../../ui/Toolbar.tsx"
import { Filter, ListView, perPage, setFilter, startOfPage } from "../admin/ListView.tsx"
import { TextDialog, type TextQuestion } from "../admin/TextDialog.tsx"
import { decisionQuestion, deleteRegistrations, isPending, type Registration } from "./Registrations.ts"

const t = text("registrations")
const common = text("common")

const stateKinds: Readonly<Record<number, "warn" | "plain" | "good">> = {
  [UserRegistrationState.pending]: "warn",
  [UserRegistrationState.rejected]: "plain",
  [UserRegistrationState.accepted]: "good"
}

const Who = ({ registration: it }: { readonly registration: Registration }) => (
  <div class="who">
    <strong>{it.accountDisplayName === "" ? it.username : it.accountDisplayName}</strong>
    <span class="soft">@{it.username}</span>
    <span class="soft">
      {it.email} {it.emailVerified === false && <Badge kind="warn">{t("notVerified")}</Badge>}
    </span>
    {it.channelHandle !== "" && <span class="soft">{t("channel", { name: it.channelHandle })}</span>}
  </div>
)

const State = ({ registration: it }: { readonly registration: Registration }) => (
  <div class="job-state">
    <Badge kind={stateKinds[it.state.id] ?? "plain"}>{t("stateName", { state: it.state.id })}</Badge>
    {it.user !== undefined && it.user !== null && mayUse("MANAGE_USERS") && (
      <a class="plain-link" href={`/admin/users/${it.user.id}`}>
        {t("toUser")}
      </a>
    )}
  </div>
)

interface Acts {
  readonly onDecide: (registration: Registration, accept: boolean) => void
  readonly onDelete: (registration: Registration) => void
}

const columns = ({ onDecide, onDelete }: Acts): ReadonlyArray<Column<Registration>> => [
  { key: "who", label: t("person"), cell: (it) => <Who registration={it} /> },
  {
    key: "reason",
    label: t("reason"),
    wide: true,
    cell: (it) => (
      <>
        <p class="words">{it.registrationReason}</p>
        {it.moderationResponse !== null && it.moderationResponse !== "" && (
          <p class="words soft">{t("answer", { words: it.moderationResponse })}</p>
        )}
      </>
    )
  },
  { key: "state", label: t("state"), sort: "state", cell: (it) => <State registration={it} /> },
  {
    key: "createdAt",
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
        label={common("actions", { name: it.username })}
        icon="dots"
        kind="quiet"
        items={[
          ...(isPending(it)
            ? [
                { label: t("accept"), icon: "check", onSelect: () => onDecide(it, true) } as const,
                { label: t("reject"), icon: "close", onSelect: () => onDecide(it, false) } as const
              ]
            : []),
          { label: t("delete"), icon: "trash", danger: true, onSelect: () => onDelete(it) }
        ]}
      />
    )
  }
]

const sorts = ["createdAt", "-createdAt", "state", "-state"] as const

/** Who asked for an account, with why, and what became of it. */
export const Page = () => {
  const { query } = place.value
  const search = query.get("search") ?? ""
  const sort = sorts.find((it) => it === query.get("sort")) ?? "-createdAt"
  const state = userRegistrationStates.find((it) => String(it) === query.get("state"))
  const start = startOfPage()
  const [question, setQuestion] = useState<TextQuestion>()
  const list = useLoad(`registrations ${search} ${sort} ${state} ${start}`, (signal) =>
    call("GET /api/v1/users/registrations", {
      query: {
        search: search === "" ? undefined : search,
        sort,
        stateOneOf: state === undefined ? undefined : [state],
        start,
        count: perPage
      },
      signal
    })
  )
  const remove = async (registrations: ReadonlyArray<Registration>, done: () => void): Promise<void> => {
    if (await deleteRegistrations(registrations)) done()
  }
  const again = () => void list.again()
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          {list.data !== undefined && <p>{t("count", { count: list.data.total })}</p>}
        </div>
      </header>
      <ListView
        label={t("title")}
        list={list}
        columns={columns({
          onDecide: (it, accept) => setQuestion(decisionQuestion(it, accept)),
          onDelete: (it) => void remove([it], again)
        })}
        keyOf={(it) => String(it.id)}
        nameOf={(it) => it.username}
        sort={sort}
        tools={
          <>
            <SearchBox label={t("searchLabel")} value={search} onValue={(value) => setFilter({ search: value })} />
            <Filter
              label={t("state")}
              name="state"
              options={userRegistrationStates.map((it) => ({
                value: String(it),
                label: t("stateName", { state: it })
              }))}
            />
          </>
        }
        bulk={(rows, done) => (
          <Button small kind="danger" icon="trash" onClick={() => void remove(rows, done)}>
            {t("delete")}
          </Button>
        )}
        empty={
          search === "" && state === undefined ? (
            <Empty icon="mail" title={t("emptyTitle")} text={t("emptyText")} />
          ) : (
            <Empty icon="search" title={t("nothingTitle")} text={t("nothingText")} />
          )
        }
      />
      {question !== undefined && (
        <TextDialog question={question} onClose={() => setQuestion(undefined)} onDone={again} />
      )}
    </>
  )
}
