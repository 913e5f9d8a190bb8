import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { moment } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Button } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { TextArea } from "../../ui/Field.tsx"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import { act } from "../admin/Acts.ts"
import type { Report } from "./Reports.ts"

const t = text("reports")

type Message = Output<"GET /api/v1/abuses/:abuseId/messages">["data"][number]

const Said = ({ message, onDelete }: { readonly message: Message; readonly onDelete: () => void }) => (
  <li class="message" data-moderator={message.byModerator}>
    <p class="message-head">
      <strong>{message.account?.displayName ?? t("gone")}</strong>
      <span>{message.byModerator ? t("moderator") : t("reporter")}</span>
      <time dateTime={message.createdAt}>{moment(message.createdAt)}</time>
    </p>
    <p class="words">{message.message}</p>
    <Button kind="quiet" small icon="trash" label={t("deleteMessage")} onClick={onDelete} />
  </li>
)

/** What moderators and the reporter wrote to each other about a report, and a box for the next message. */
export const Messages = ({ onCount, report }: { readonly report: Report; readonly onCount: () => void }) => {
  const params = { abuseId: report.id }
  const list = useLoad(`messages ${report.id}`, (signal) =>
    call("GET /api/v1/abuses/:abuseId/messages", { params, signal })
  )
  const [words, setWords] = useState("")
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    const message = words.trim()
    if (message.length < 2) return setError(t("messageShort"))
    setBusy(true)
    const answer = await call("POST /api/v1/abuses/:abuseId/messages", { params, body: { message } })
    setBusy(false)
    if (!answer.ok) return setError(answer.wrong[0]?.reason ?? failureWords(answer))
    setWords("")
    setError(undefined)
    await list.again()
    onCount()
  }
  const remove = async ({ id }: Message): Promise<void> => {
    const yes = await confirm({
      title: t("deleteMessageTitle"),
      text: t("deleteMessageText"),
      action: t("delete"),
      danger: true
    })
    if (!yes) return
    const removed = await act(
      call("DELETE /api/v1/abuses/:abuseId/messages/:abuseMessageId", { params: { ...params, abuseMessageId: id } }),
      t("messageDeleted")
    )
    if (removed) {
      await list.again()
      onCount()
    }
  }
  return (
    <section class="messages" aria-label={t("messagesLabel")}>
      {list.failure !== undefined && (
        <LoadFailure reason={failureWords(list.failure)} onRetry={() => void list.again()} />
      )}
      {list.data === undefined && list.failure === undefined && <Skeleton rows={2} />}
      {list.data !== undefined && list.data.data.length > 0 && (
        <ul>
          {list.data.data.map((it) => (
            <Said key={it.id} message={it} onDelete={() => void remove(it)} />
          ))}
        </ul>
      )}
      {report.reporterAccount === undefined ? (
        <p class="soft">{t("reporterGone")}</p>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          <TextArea
            label={t("newMessage")}
            help={t("newMessageHelp")}
            rows={2}
            maxLength={3000}
            value={words}
            error={error}
            onValue={setWords}
          />
          <Button type="submit" busy={busy}>
            {t("send")}
          </Button>
        </form>
      )}
    </section>
  )
}
