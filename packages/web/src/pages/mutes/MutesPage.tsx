import { useState } from "preact/hooks"
import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { day } from "../../i18n/Units.ts"
import { type Loading, useLoad } from "../../navigation/Load.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { report } from "../../ui/Outcome.ts"
import { Pager } from "../../ui/Pager.tsx"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("mutes")

const perPage = 50

interface Muted {
  /** The name by which the API knows it. */
  readonly name: string
  readonly label: string
  readonly since: string
}

interface MutedPage {
  readonly total: number
  readonly data: ReadonlyArray<Muted>
}

/** What is muted of one kind, and a field to mute more. */
const List = ({
  empty,
  help,
  label,
  list,
  onMute,
  onUnmute,
  start
}: {
  readonly label: string
  readonly help: string
  readonly empty: string
  readonly start: number
  readonly list: Loading<MutedPage>
  readonly onMute: (name: string) => Promise<Answer>
  readonly onUnmute: (name: string) => Promise<Answer>
}) => {
  const [name, setName] = useState("")
  const [busy, setBusy] = useState(false)
  const mute = async (): Promise<void> => {
    const wanted = name.trim()
    if (wanted === "") return
    setBusy(true)
    if (report(await onMute(wanted), t("muted", { name: wanted }))) {
      setName("")
      await list.again()
    }
    setBusy(false)
  }
  const unmute = async (muted: Muted): Promise<void> => {
    if (report(await onUnmute(muted.name), t("unmuted", { name: muted.label }))) await list.again()
  }
  return (
    <div class="card stack">
      <form
        class="beside"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void mute()
        }}
      >
        <TextField label={label} help={help} value={name} onValue={setName} />
        <Button type="submit" busy={busy}>
          {t("mute")}
        </Button>
      </form>
      {list.failure !== undefined && (
        <LoadFailure reason={failureWords(list.failure)} onRetry={() => void list.again()} />
      )}
      {list.data === undefined && list.failure === undefined && <Skeleton rows={3} />}
      {list.data?.total === 0 && <p class="lead">{empty}</p>}
      {list.data !== undefined && list.data.data.length > 0 && (
        <ul class="rows" aria-busy={list.busy}>
          {list.data.data.map((it) => (
            <li key={it.name}>
              <div class="rows-words">
                <strong>{it.label}</strong>
                <span>{t("since", { day: day(it.since) })}</span>
              </div>
              <span class="rows-acts">
                <Button
                  kind="quiet"
                  icon="trash"
                  label={t("unmute", { name: it.label })}
                  onClick={() => void unmute(it)}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Pager
        start={start}
        count={perPage}
        total={list.data?.total ?? 0}
        onStart={(next) => setQuery({ start: next === 0 ? undefined : String(next) })}
      />
    </div>
  )
}

const Accounts = ({ start }: { readonly start: number }) => {
  const path = "/api/v1/users/me/blocklist/accounts"
  const list = useLoad<MutedPage>(`muted accounts ${start}`, async (signal) => {
    const answer = await call(`GET ${path}`, { query: { start, count: perPage }, signal })
    if (!answer.ok) return answer
    const data = answer.body.data.map(({ blockedAccount: { host, name }, createdAt }) => {
      const handle = `${name}@${host}`
      return { name: handle, label: handle, since: createdAt }
    })
    return { ...answer, body: { total: answer.body.total, data } }
  })
  return (
    <List
      label={t("account")}
      help={t("accountHelp")}
      empty={t("noAccounts")}
      start={start}
      list={list}
      onMute={(accountName) => call(`POST ${path}`, { body: { accountName } })}
      onUnmute={(accountName) => call(`DELETE ${path}/:accountName`, { params: { accountName } })}
    />
  )
}

const Servers = ({ start }: { readonly start: number }) => {
  const path = "/api/v1/users/me/blocklist/servers"
  const list = useLoad<MutedPage>(`muted servers ${start}`, async (signal) => {
    const answer = await call(`GET ${path}`, { query: { start, count: perPage }, signal })
    if (!answer.ok) return answer
    const data = answer.body.data.map(({ blockedServer: { host }, createdAt }) => ({
      name: host,
      label: host,
      since: createdAt
    }))
    return { ...answer, body: { total: answer.body.total, data } }
  })
  return (
    <List
      label={t("server")}
      help={t("serverHelp")}
      empty={t("noServers")}
      start={start}
      list={list}
      onMute={(host) => call(`POST ${path}`, { body: { host } })}
      onUnmute={(host) => call(`DELETE ${path}/:host`, { params: { host } })}
    />
  )
}

const kinds = ["accounts", "servers"] as const

/** Accounts and servers that the user mutes. */
export const Page = () => {
  const { query } = place.value
  const kind = kinds.find((it) => it === query.get("kind")) ?? "accounts"
  const start = Number(query.get("start") ?? 0) || 0
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{t("lead")}</p>
        </div>
      </header>
      <Tabs
        label={t("kinds")}
        tabs={kinds.map((key) => ({ key, label: t(key) }))}
        selected={kind}
        onSelect={(key) => setQuery({ kind: key === "accounts" ? undefined : key, start: undefined })}
      >
        {kind === "accounts" ? <Accounts start={start} /> : <Servers start={start} />}
      </Tabs>
    </>
  )
}
