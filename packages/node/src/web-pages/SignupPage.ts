import { constraints } from "@kinora/domain/enums/Constraints"
import { emailField, passwordFields } from "./AccountPages.ts"
import { type Field, form, formPage } from "./FormParts.ts"
import { type Html, html } from "../platform/html/Html.ts"
import type { Surroundings } from "./Layout.ts"
import type { PageSignup } from "./PageSignup.ts"

const { username } = constraints.user

const usernameField: Field = {
  name: "username",
  label: "User name",
  type: "text",
  autocomplete: "username",
  hint: "Small letters a to z, digits, dot and underscore. It is part of your address and cannot be changed.",
  min: username.min,
  max: username.max,
  pattern: "[a-z0-9._]+"
}

const reasonField: Field = {
  name: "registrationReason",
  label: "Why do you want to join?",
  type: "textarea",
  autocomplete: "off",
  hint: "The moderators read this before they decide.",
  min: 2,
  max: 3000
}

const ageField = (years: number): Field => ({
  name: "age",
  label: `I am at least ${years} years old`,
  type: "checkbox",
  autocomplete: "off",
  unsent: true
})

const termsField: Field = {
  name: "terms",
  label: "I agree to the terms of this instance",
  type: "checkbox",
  autocomplete: "off",
  unsent: true
}

const doneText = (signup: PageSignup["Service"]): string => {
  if (signup.requiresApproval) {
    return signup.verifiesEmail
      ? "Thank you. First follow the link in the mail you get now; then a moderator looks at your registration."
      : "Thank you. A moderator looks at your registration; you can log in when it is accepted."
  }
  return signup.verifiesEmail
    ? "Thank you. Follow the link in the mail you get now, then you can log in."
    : "Welcome! Your account is ready: log in with your user name and password."
}

/** Registration, at once or with approval, as the instance is configured. */
export const signupPage = (surroundings: Surroundings, signup: PageSignup["Service"]): Html => {
  const { name, terms } = surroundings.instance
  const hasTerms = terms.trim() !== ""
  return formPage(surroundings, {
    title: `Join ${name}`,
    text: signup.requiresApproval ? ["A moderator looks at each registration before the account is opened."] : [],
    form: form({
      action: signup.requiresApproval ? "/api/v1/users/registrations/request" : "/api/v1/users/register",
      fields: [
        usernameField,
        emailField,
        ...passwordFields("Password"),
        ...(signup.requiresApproval ? [reasonField] : []),
        ...(signup.minimumAge > 0 ? [ageField(signup.minimumAge)] : []),
        ...(hasTerms ? [termsField] : [])
      ],
      button: signup.requiresApproval ? "Ask for an account" : "Create the account",
      done: doneText(signup),
      next: signup.requiresApproval || signup.verifiesEmail ? undefined : { label: "Log in", path: "/login" }
    }),
    below: html`<p class="below">
      ${hasTerms && html`<a href="/about">Read the terms</a> · `}<a href="/login">I have an account</a>
    </p>`
  })
}

export const signupClosedPage = (surroundings: Surroundings, allowedElsewhere: boolean): Html =>
  formPage(surroundings, {
    title: "Registration is closed",
    text: [
      allowedElsewhere
        ? `${surroundings.instance.name} does not take registrations from your network address.`
        : `${surroundings.instance.name} does not take new users at the moment.`
    ],
    below: html`<p class="below"><a href="/login">I have an account</a></p>`
  })
