import { userRoles } from "@kinora/domain/enums/UserRole"
import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place } from "../../navigation/Location.ts"
import { me } from "../../session/Me.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { Empty } from "../../ui/States.tsx"
import { SearchBox } from "../../ui/Toolbar.tsx"
import { PasswordQuestion } from "../admin/Confirmed.tsx"
import { Filter, ListView, perPage, setFilter, startOfPage } from "../admin/ListView.tsx"
import { TextDialog, type TextQuestion } from "../admin/TextDialog.tsx"
import { columns, mayChange } from "./Columns.tsx"
import { asSort, banQuestion, deleteUsers, unban, type User } from "./Users.ts"

const t = text("users")

/** The users of the instance: found, sorted, changed one by one or many at once. */
export const Page = () => {
  const { query } = place.value
  const search = query.get("search") ?? ""
  const sort = asSort(query.get("sort"))
  const role = userRoles.find((it) => String(it) === query.get("role"))
  const blocked = query.get("blocked") === "true" ? true : undefined
  const start = startOfPage()
  const [question, setQuestion] = useState<TextQuestion>()
  const list = useLoad(`users ${search} ${sort} ${role} ${blocked} ${start}`, (signal) =>
    call("GET /api/v1/users", {
      query: { search: search === "" ? undefined : search, sort, role, blocked, start, count: perPage },
      signal
    })
  )
  const run = async (doing: Promise<boolean>): Promise<void> => {
    if (await doing) await list.again()
  }
  const others = (users: ReadonlyArray<User>) => users.filter((it) => it.id !== me.value?.id && mayChange(it))
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          {list.data !== undefined && <p>{t("count", { count: list.data.total })}</p>}
        </div>
        <ButtonLink href="/admin/users/new" icon="plus" kind="primary">
          {t("create")}
        </ButtonLink>
      </header>
      <ListView
        label={t("title")}
        list={list}
        columns={columns({
          onBan: (user) => setQuestion(banQuestion([user])),
          onUnban: (user) => void run(unban([user])),
          onDelete: (user) => void run(deleteUsers([user]))
        })}
        keyOf={(it) => String(it.id)}
        nameOf={(it) => it.username}
        sort={sort}
        tools={
          <>
            <SearchBox label={t("searchLabel")} value={search} onValue={(value) => setFilter({ search: value })} />
            <Filter
              label={t("role")}
              name="role"
              options={userRoles.map((it) => ({ value: String(it), label: t("roleName", { role: it }) }))}
            />
            <Filter label={t("state")} name="blocked" options={[{ value: "true", label: t("isBanned") }]} />
          </>
        }
        bulk={(rows, done) => {
          const chosen = others(rows)
          const runAll = async (doing: Promise<boolean>): Promise<void> => {
            if (await doing) done()
          }
          return chosen.length === 0 ? (
            <span>{t("noneOfThese")}</span>
          ) : (
            <>
              <Button small icon="ban" onClick={() => setQuestion(banQuestion(chosen))}>
                {t("ban")}
              </Button>
              <Button small icon="check" onClick={() => void runAll(unban(chosen))}>
                {t("unban")}
              </Button>
              <Button small kind="danger" icon="trash" onClick={() => void runAll(deleteUsers(chosen))}>
                {t("delete")}
              </Button>
            </>
          )
        }}
        empty={<Empty icon="search" title={t("nothingTitle")} text={t("nothingText")} />}
      />
      {question !== undefined && (
        <TextDialog question={question} onClose={() => setQuestion(undefined)} onDone={() => void list.again()} />
      )}
      <PasswordQuestion />
    </>
  )
}
