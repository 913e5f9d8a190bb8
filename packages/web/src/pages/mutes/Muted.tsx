import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { type MutedPage, MutesList, perPage } from "./MutesList.tsx"

const t = text("mutes")

/** Who mutes: a user for themselves, or the instance for everybody. */
export type Muting = "users/me" | "server"

interface MutedProps {
  readonly by: Muting
  readonly start: number
}

/** Accounts that are muted. */
export const MutedAccounts = ({ by, start }: MutedProps) => {
  const path = `/api/v1/${by}/blocklist/accounts` as const
  const list = useLoad<MutedPage>(`muted accounts ${by} ${start}`, async (signal) => {
    const answer = await call(`GET ${path}`, { query: { start, count: perPage }, signal })
    if (!answer.ok) return answer
    const data = answer.body.data.map(({ blockedAccount: { host, name }, createdAt }) => {
      const handle = `${name}@${host}`
      return { name: handle, label: handle, since: createdAt }
    })
    return { ...answer, body: { total: answer.body.total, data } }
  })
  return (
    <MutesList
      label={t("account")}
      help={t("accountHelp")}
      empty={t("noAccounts", { by: by === "server" ? "instance" : "user" })}
      start={start}
      list={list}
      onMute={(accountName) => call(`POST ${path}`, { body: { accountName } })}
      onUnmute={(accountName) => call(`DELETE ${path}/:accountName`, { params: { accountName } })}
    />
  )
}

/** Servers that are muted. */
export const MutedServers = ({ by, start }: MutedProps) => {
  const path = `/api/v1/${by}/blocklist/servers` as const
  const list = useLoad<MutedPage>(`muted servers ${by} ${start}`, async (signal) => {
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
    <MutesList
      label={t("server")}
      help={t("serverHelp")}
      empty={t("noServers", { by: by === "server" ? "instance" : "user" })}
      start={start}
      list={list}
      onMute={(host) => call(`POST ${path}`, { body: { host } })}
      onUnmute={(host) => call(`DELETE ${path}/:host`, { params: { host } })}
    />
  )
}
