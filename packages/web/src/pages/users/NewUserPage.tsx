import { useState } from "preact/hooks"
import type { Failure } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { PasswordQuestion, withPassword } from "../admin/Confirmed.tsx"
import { UserForm, type UserValues } from "./UserForm.tsx"

const t = text("users")

const none: Omit<UserValues, "password"> = {
  username: "",
  email: "",
  role: 2,
  videoQuota: -1,
  videoQuotaDaily: -1,
  withoutReview: false,
  channelName: ""
}

/** Where a user is made. What is typed is kept until then, but for the password. */
export const Page = () => {
  const draft = useDraft("new-user", none)
  const [password, setPassword] = useState("")
  const [failure, setFailure] = useState<Failure>()
  const [busy, setBusy] = useState(false)
  const { channelName, withoutReview, ...fields } = draft.value
  const create = async (): Promise<void> => {
    setBusy(true)
    const answer = await withPassword(() =>
      call("POST /api/v1/users", {
        body: {
          ...fields,
          password,
          adminFlags: withoutReview ? 1 : 0,
          ...(channelName === "" ? {} : { channelName })
        }
      })
    )
    setBusy(false)
    setFailure(answer.ok ? undefined : answer)
    if (!answer.ok) return
    toast(t("created", { name: fields.username }))
    draft.clear()
    setPassword("")
  }
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("create")}</h1>
          <p>{t("createLead")}</p>
        </div>
      </header>
      <form
        class="card user-new"
        aria-label={t("create")}
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <UserForm
          values={{ ...draft.value, password }}
          isNew
          failure={failure}
          onChange={({ password: typed, ...changes }) => {
            if (typed !== undefined) setPassword(typed)
            draft.set(changes)
          }}
        />
        <div class="form-foot">
          {failure !== undefined && <p role="alert">{failureWords(failure)}</p>}
          <ButtonLink href="/admin/users">{t("toUsers")}</ButtonLink>
          <Button kind="primary" type="submit" busy={busy}>
            {t("createAction")}
          </Button>
        </div>
      </form>
      <PasswordQuestion />
    </>
  )
}
