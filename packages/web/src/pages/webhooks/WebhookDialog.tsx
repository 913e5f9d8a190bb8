import { webhookEvents } from "@kinora/domain/enums/WebhookEvent"
import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { Button } from "../../ui/Button.tsx"
import { Checkbox } from "../../ui/Choices.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { TextField } from "../../ui/Field.tsx"
import { failureWords } from "../../ui/Words.ts"
import { eventName, type Webhook } from "./Webhook.ts"

const t = text("webhooks")
const common = text("common")

type Errors = Partial<Record<"url" | "events" | "description", string>>

/** A dialog in which a webhook is added, or changed. `onDone` is given the id and the secret of a new one. */
export const WebhookDialog = ({
  onClose,
  onDone,
  webhook
}: {
  readonly webhook?: Webhook
  readonly onClose: () => void
  readonly onDone: (made?: { readonly id: number; readonly secret: string }) => void
}) => {
  const [url, setUrl] = useState(webhook?.url ?? "")
  const [description, setDescription] = useState(webhook?.description ?? "")
  const [events, setEvents] = useState<ReadonlySet<string>>(new Set(webhook?.events ?? ["video.published"]))
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)
  const toggle = (type: string, on: boolean): void => {
    const next = new Set(events)
    if (on) next.add(type)
    else next.delete(type)
    setEvents(next)
  }
  const send = async (): Promise<void> => {
    const chosen = webhookEvents.filter((type) => events.has(type))
    const missing: Errors = {
      ...(url.trim() === "" ? { url: common("required") } : {}),
      ...(chosen.length === 0 ? { events: t("eventsRequired") } : {})
    }
    setErrors(missing)
    if (Object.keys(missing).length > 0) return
    setBusy(true)
    const body = { url: url.trim(), description: description.trim(), events: chosen }
    const answer =
      webhook === undefined
        ? await call("POST /api/v1/server/webhooks", { body })
        : await call("PUT /api/v1/server/webhooks/:webhookId", { params: { webhookId: webhook.id }, body })
    setBusy(false)
    if (answer.ok) return onDone(answer.body === undefined ? undefined : answer.body.webhook)
    const named = answer.wrong.filter(({ name }) => name === "url" || name === "description" || name === "events")
    setErrors(
      named.length > 0
        ? Object.fromEntries(named.map(({ name, reason }) => [name, reason]))
        : { url: failureWords(answer) }
    )
  }
  return (
    <Dialog
      title={webhook === undefined ? t("addTitle") : t("editTitle")}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common("cancel")}</Button>
          <Button kind="primary" busy={busy} onClick={() => void send()}>
            {webhook === undefined ? t("add") : t("save")}
          </Button>
        </>
      }
    >
      <div class="stack">
        <TextField
          label={t("address")}
          help={t("addressHelp")}
          type="url"
          value={url}
          error={errors.url}
          maxLength={2000}
          onValue={setUrl}
        />
        <TextField
          label={t("description")}
          optional
          value={description}
          error={errors.description}
          maxLength={500}
          onValue={setDescription}
        />
        <fieldset class="webhook-events">
          <legend>{t("events")}</legend>
          {webhookEvents.map((type) => (
            <Checkbox
              key={type}
              label={eventName(type)}
              checked={events.has(type)}
              onChecked={(on) => toggle(type, on)}
            />
          ))}
          <p class="f-error" role="alert">
            {errors.events}
          </p>
        </fieldset>
      </div>
    </Dialog>
  )
}
