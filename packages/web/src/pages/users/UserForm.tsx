import { UserRole, userRoles } from "@kinora/domain/enums/UserRole"
import type { Failure } from "../../api/Answer.ts"
import { text } from "../../i18n/Text.ts"
import { bytes } from "../../i18n/Units.ts"
import { me } from "../../session/Me.ts"
import { TextField } from "../../ui/Field.tsx"
import { Checkbox, SelectField } from "../../ui/Choices.tsx"
import { quotaSteps } from "./Quota.ts"

const t = text("users")

/** What is typed about a user; numbers as the texts of their options. */
export interface UserValues {
  readonly username: string
  readonly email: string
  readonly password: string
  readonly role: UserRole
  readonly videoQuota: number
  readonly videoQuotaDaily: number
  readonly withoutReview: boolean
  readonly channelName: string
}

/** What the server says of one field, in its words. */
const wrongWith = (failure: Failure | undefined, name: string): string | undefined =>
  failure?.wrong.find((it) => it.name === name)?.reason

const Quota = ({
  failure,
  label,
  name,
  onValue,
  value
}: {
  readonly label: string
  readonly name: string
  readonly value: number
  readonly failure: Failure | undefined
  readonly onValue: (value: number) => void
}) => (
  <SelectField
    label={label}
    value={String(value)}
    error={wrongWith(failure, name)}
    options={quotaSteps(value).map((it) => ({
      value: String(it),
      label: it < 0 ? t("noLimit") : it === 0 ? t("nothing") : bytes(it)
    }))}
    onValue={(it) => onValue(Number(it))}
  />
)

/** The fields of a user that are made or changed. */
export const UserForm = ({
  failure,
  isNew,
  onChange,
  values
}: {
  readonly values: UserValues
  readonly isNew: boolean
  readonly failure: Failure | undefined
  readonly onChange: (changes: Partial<UserValues>) => void
}) => {
  const roles = userRoles.filter(
    (it) => me.value?.role.id === UserRole.administrator || it === UserRole.user || it === values.role
  )
  return (
    <div class="stack">
      {isNew && (
        <div class="two">
          <TextField
            label={t("username")}
            help={t("usernameHelp")}
            value={values.username}
            error={wrongWith(failure, "username")}
            onValue={(username) => onChange({ username })}
            required
          />
          <TextField
            label={t("channelName")}
            help={t("channelNameHelp")}
            value={values.channelName}
            error={wrongWith(failure, "channelName")}
            onValue={(channelName) => onChange({ channelName })}
            optional
          />
        </div>
      )}
      <div class="two">
        <TextField
          label={t("email")}
          type="email"
          value={values.email}
          error={wrongWith(failure, "email")}
          onValue={(email) => onChange({ email })}
          required
        />
        <TextField
          label={isNew ? t("password") : t("newPassword")}
          help={isNew ? t("passwordHelp") : t("newPasswordHelp")}
          type="password"
          autocomplete="new-password"
          value={values.password}
          error={wrongWith(failure, "password")}
          onValue={(password) => onChange({ password })}
          optional
        />
      </div>
      <SelectField
        label={t("role")}
        help={t("roleHelp", { role: values.role })}
        value={String(values.role)}
        error={wrongWith(failure, "role")}
        disabled={roles.length === 1}
        options={roles.map((it) => ({ value: String(it), label: t("roleName", { role: it }) }))}
        onValue={(it) => onChange({ role: userRoles.find((role) => String(role) === it) ?? values.role })}
      />
      <div class="two">
        <Quota
          label={t("quota")}
          name="videoQuota"
          value={values.videoQuota}
          failure={failure}
          onValue={(videoQuota) => onChange({ videoQuota })}
        />
        <Quota
          label={t("quotaDaily")}
          name="videoQuotaDaily"
          value={values.videoQuotaDaily}
          failure={failure}
          onValue={(videoQuotaDaily) => onChange({ videoQuotaDaily })}
        />
      </div>
      <Checkbox
        label={t("withoutReview")}
        help={t("withoutReviewHelp")}
        checked={values.withoutReview}
        onChecked={(withoutReview) => onChange({ withoutReview })}
      />
    </div>
  )
}
