import { UserRole } from "@kinora/domain/enums/UserRole"
import { useState } from "preact/hooks"
import type { Failure } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { moment, number } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import type { PageProps } from "../../navigation/Page.ts"
import { me } from "../../session/Me.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { Badge, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { PasswordQuestion, withPassword } from "../admin/Confirmed.tsx"
import { TextDialog, type TextQuestion } from "../admin/TextDialog.tsx"
import { mayChange } from "./Columns.tsx"
import { QuotaBar } from "./QuotaBar.tsx"
import { UserForm, type UserValues } from "./UserForm.tsx"
import { banQuestion, deleteUsers, unban, type User } from "./Users.ts"

const t = text("users")
const common = text("common")

const valuesOf = (user: User): UserValues => ({
  username: user.username,
  email: user.email,
  password: "",
  role: user.role.id === UserRole.administrator ? 0 : user.role.id === UserRole.moderator ? 1 : 2,
  videoQuota: user.videoQuota,
  videoQuotaDaily: user.videoQuotaDaily,
  withoutReview: user.adminFlags === 1,
  channelName: ""
})

const Facts = ({ user }: { readonly user: User }) => {
  const facts: ReadonlyArray<readonly [label: string, value: string]> = [
    [t("since"), moment(user.createdAt)],
    [t("lastLogin"), user.lastLoginDate === null ? t("never") : moment(user.lastLoginDate)],
    [t("twoFactor"), user.twoFactorEnabled ? t("yes") : t("no")],
    [t("emailVerified"), user.emailVerified === true ? t("yes") : t("no")],
    [t("videos"), number(user.videosCount ?? 0)],
    [t("comments"), number(user.videoCommentsCount ?? 0)],
    [t("reportsAgainst"), t("ofThese", { all: user.abusesCount ?? 0, accepted: user.abusesAcceptedCount ?? 0 })],
    [t("reportsMade"), number(user.abusesCreatedCount ?? 0)]
  ]
  return (
    <aside class="card user-facts" aria-label={t("facts")}>
      <QuotaBar label={t("quotaOf", { name: user.username })} quota={user.videoQuota} used={user.videoQuotaUsed ?? 0} />
      {user.videoQuotaDaily >= 0 && (
        <QuotaBar
          label={t("quotaDailyOf", { name: user.username })}
          quota={user.videoQuotaDaily}
          used={user.videoQuotaUsedDaily ?? 0}
        />
      )}
      <dl class="pairs">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </aside>
  )
}

const Acts = ({ onChange, user }: { readonly user: User; readonly onChange: () => void }) => {
  const [question, setQuestion] = useState<TextQuestion>()
  const remove = async (): Promise<void> => {
    if (await deleteUsers([user])) history.back()
  }
  const letIn = async (): Promise<void> => {
    if (await unban([user])) onChange()
  }
  if (user.id === me.value?.id || !mayChange(user)) return null
  return (
    <div class="head-acts">
      {user.blocked ? (
        <Button icon="check" onClick={() => void letIn()}>
          {t("unban")}
        </Button>
      ) : (
        <Button icon="ban" onClick={() => setQuestion(banQuestion([user]))}>
          {t("ban")}
        </Button>
      )}
      <Button kind="danger" icon="trash" onClick={() => void remove()}>
        {t("delete")}
      </Button>
      {question !== undefined && (
        <TextDialog question={question} onClose={() => setQuestion(undefined)} onDone={onChange} />
      )}
    </div>
  )
}

const Form = ({ onSaved, user }: { readonly user: User; readonly onSaved: () => void }) => {
  const before = valuesOf(user)
  const [values, setValues] = useState(before)
  const [failure, setFailure] = useState<Failure>()
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    const answer = await withPassword(() =>
      call("PUT /api/v1/users/:id", {
        params: { id: user.id },
        body: {
          ...(values.email === before.email ? {} : { email: values.email }),
          ...(values.role === before.role ? {} : { role: values.role }),
          ...(values.password === "" ? {} : { password: values.password }),
          videoQuota: values.videoQuota,
          videoQuotaDaily: values.videoQuotaDaily,
          adminFlags: values.withoutReview ? 1 : 0
        }
      })
    )
    setBusy(false)
    setFailure(answer.ok ? undefined : answer)
    if (!answer.ok) return
    setValues({ ...values, password: "" })
    toast(t("saved", { name: user.username }))
    onSaved()
  }
  return (
    <form
      class="card"
      aria-label={t("edit")}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <UserForm
        values={values}
        isNew={false}
        failure={failure}
        onChange={(changes) => setValues({ ...values, ...changes })}
      />
      <div class="form-foot">
        {failure !== undefined && <p role="alert">{failureWords(failure)}</p>}
        <ButtonLink href="/admin/users">{t("toUsers")}</ButtonLink>
        <Button kind="primary" type="submit" busy={busy}>
          {common("save")}
        </Button>
      </div>
    </form>
  )
}

/** One user: what they may and have, and what is known of them. */
export const Page = ({ params }: PageProps) => {
  const id = params["id"] ?? ""
  const user = useLoad(`user ${id}`, (signal) =>
    call("GET /api/v1/users/:id", { params: { id }, query: { withStats: true }, signal })
  )
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{user.data?.username ?? t("user")}</h1>
          {user.data?.blocked === true && (
            <p>
              <Badge kind="bad">{t("isBanned")}</Badge> {user.data.blockedReason}
            </p>
          )}
        </div>
        {user.data !== undefined && <Acts user={user.data} onChange={() => void user.again()} />}
      </header>
      {user.failure !== undefined && (
        <LoadFailure reason={failureWords(user.failure)} onRetry={() => void user.again()} />
      )}
      {user.data === undefined && user.failure === undefined && <Skeleton />}
      {user.data !== undefined && (
        <div class="user-page">
          {mayChange(user.data) && <Form key={id} user={user.data} onSaved={() => void user.again()} />}
          <Facts user={user.data} />
        </div>
      )}
      <PasswordQuestion />
    </>
  )
}
