import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { moment } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { navigate } from "../../navigation/Location.ts"
import type { PageProps } from "../../navigation/Page.ts"
import { Button } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { act } from "../admin/Acts.ts"
import { useLive } from "../admin/Live.ts"
import { Deliveries } from "./Deliveries.tsx"
import { SecretDialog } from "./SecretDialog.tsx"
import { State } from "./State.tsx"
import { eventName, type Webhook } from "./Webhook.ts"
import { WebhookDialog } from "./WebhookDialog.tsx"

const t = text("webhooks")

const day = 86_400_000

const Acts = ({ onChange, webhook }: { readonly webhook: Webhook; readonly onChange: () => void }) => {
  const [editing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string>()
  const params = { webhookId: webhook.id }
  const ping = async (): Promise<void> => {
    if (await act(call("POST /api/v1/server/webhooks/:webhookId/ping", { params }), t("pinged"))) onChange()
  }
  const replay = async (): Promise<void> => {
    const since = new Date(Date.now() - 30 * day).toISOString()
    const answer = await call("POST /api/v1/server/webhooks/:webhookId/replay", { params, body: { since } })
    if (!answer.ok) return toast(failureWords(answer), "failed")
    toast(t("replayed", { count: answer.body.replayed }))
    onChange()
  }
  const turn = async (active: boolean): Promise<void> => {
    const doing = call("PUT /api/v1/server/webhooks/:webhookId", { params, body: { active } })
    if (await act(doing, active ? t("isActive") : t("isInactive"))) onChange()
  }
  const renew = async (): Promise<void> => {
    if (!(await confirm({ title: t("renewTitle"), text: t("renewText"), action: t("renew"), danger: true }))) return
    const answer = await call("POST /api/v1/server/webhooks/:webhookId/secret", { params, body: {} })
    if (answer.ok) setSecret(answer.body.secret)
    else toast(failureWords(answer), "failed")
  }
  const remove = async (): Promise<void> => {
    if (!(await confirm({ title: t("deleteTitle"), text: t("deleteText"), action: t("delete"), danger: true }))) return
    if (await act(call("DELETE /api/v1/server/webhooks/:webhookId", { params }), t("deleted")))
      navigate("/admin/webhooks")
  }
  return (
    <div class="head-acts">
      {webhook.active ? (
        <Button icon="play" onClick={() => void ping()}>
          {t("ping")}
        </Button>
      ) : (
        <Button kind="primary" icon="check" onClick={() => void turn(true)}>
          {t("activate")}
        </Button>
      )}
      <Button icon="pencil" onClick={() => setEditing(true)}>
        {t("edit")}
      </Button>
      <Menu
        label={t("more")}
        icon="dots"
        items={[
          { label: t("replayFailed"), icon: "retry", disabled: !webhook.active, onSelect: () => void replay() },
          { label: t("renew"), icon: "swap", onSelect: () => void renew() },
          ...(webhook.active
            ? [{ label: t("deactivate"), icon: "pause" as const, onSelect: () => void turn(false) }]
            : []),
          { label: t("delete"), icon: "trash", danger: true, onSelect: () => void remove() }
        ]}
      />
      {editing && (
        <WebhookDialog
          webhook={webhook}
          onClose={() => setEditing(false)}
          onDone={() => {
            setEditing(false)
            toast(t("saved"))
            onChange()
          }}
        />
      )}
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </div>
  )
}

/** One webhook, and what it was sent. */
export const Page = ({ params }: PageProps) => {
  const webhookId = Number(params["id"])
  const loaded = useLoad(`webhook ${webhookId}`, (signal) =>
    call("GET /api/v1/server/webhooks/:webhookId", { params: { webhookId }, signal })
  )
  useLive(loaded.again)
  const again = (): void => void loaded.again()
  const webhook = loaded.data
  if (webhook === undefined) {
    return (
      <>
        <h1>{t("one")}</h1>
        {loaded.failure === undefined ? (
          <Skeleton />
        ) : (
          <LoadFailure reason={failureWords(loaded.failure)} onRetry={again} />
        )}
      </>
    )
  }
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("one")}</h1>
          <p class="webhook-address">{webhook.url}</p>
          {webhook.description !== "" && <p>{webhook.description}</p>}
        </div>
        <Acts webhook={webhook} onChange={again} />
      </header>
      <p>
        <State webhook={webhook} />{" "}
        <span class="soft">
          {webhook.failingSince === null
            ? webhook.events.map(eventName).join(", ")
            : t("failingSince", { time: moment(webhook.failingSince) })}
        </span>
      </p>
      <h2>{t("log")}</h2>
      <Deliveries webhook={webhook} onChange={again} />
    </>
  )
}
