import { type Html, html } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { noIndex } from "./Metadata.ts"

/** One form field. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly type: "text" | "email" | "password" | "textarea" | "checkbox"
  /** What browsers and password managers fill in (HTML: autofill). */
  readonly autocomplete: string
  readonly hint?: string
  readonly min?: number
  readonly max?: number
  /** Limit in bytes of UTF-8, where the number of characters is not what counts. */
  readonly maxBytes?: number
  /** Regular expression for the whole value. */
  readonly pattern?: string
  /** Must equal the field of this name. Not sent. */
  readonly same?: string
  /** Hidden and optional until the script shows it. */
  readonly later?: boolean
  /** Only used on the page. Not sent. */
  readonly unsent?: boolean
}

/** A form that a script sends to the API, see `packages/web/src/forms/Forms.ts`. */
export interface Form {
  /** How it is sent: without login, as a change of the user's own password, or as a login. Default `send`. */
  readonly kind?: "send" | "login"
  /** Path of the API. If there are several, each gets the same body. */
  readonly action: string | ReadonlyArray<string>
  readonly hidden?: Readonly<Record<string, string | undefined>>
  readonly fields?: ReadonlyArray<Field>
  readonly button: string
  /** The text shown on success. */
  readonly done: string
  /** Shown instead of the API's own text for 403 and 404. */
  readonly refused?: string
  /** Link to continue with afterwards. */
  readonly next?: { readonly label: string; readonly path: string } | undefined
}

const attribute = (name: string, value: string | number | undefined): Html | false =>
  value !== undefined && html` ${name}="${value}"`

const attributesOf = (field: Field, id: string): Html => {
  // Browsers silently cut pasted text to the maxlength: nobody could log in with such a password.
  const max = field.type === "password" ? "data-max" : "maxlength"
  const hint = field.hint === undefined ? undefined : `${id}-hint`
  return html`id="${id}" name="${field.name}"${field.later !== true && html` required`}
  autocomplete="${field.autocomplete}"${attribute("minlength", field.min)}${attribute(max, field.max)}${attribute("pattern", field.pattern)}${attribute("data-max-bytes", field.maxBytes)}${attribute("data-same", field.same)}${attribute("data-unsent", field.unsent === true ? "true" : undefined)}${attribute("aria-describedby", hint)}`
}

const input = (field: Field): Html => {
  const id = `field-${field.name}`
  const attributes = attributesOf(field, id)
  if (field.type === "checkbox") {
    return html`<p class="field">
      <label class="check" for="${id}"><input type="checkbox" ${attributes} />${field.label}</label>
    </p>`
  }
  const isCode = field.autocomplete === "one-time-code"
  const plain =
    field.type === "text" && html`autocapitalize="none" spellcheck="false"${isCode && html` inputmode="numeric"`}`
  return html`<p class="field" ${field.later === true && html` hidden`}>
    <label for="${id}">${field.label}</label>${
      field.type === "textarea"
        ? html`<textarea rows="5" ${attributes}></textarea>`
        : html`<input type="${field.type}" ${plain} ${attributes} />`
    }${field.hint !== undefined && html`<span class="hint" id="${id}-hint">${field.hint}</span>`}
  </p>`
}

/** Says that the page does nothing without scripts. */
export const needsScript = ({ language }: Pick<Surroundings, "language">): Html =>
  html`<noscript><p class="outcome">${language.text("common")("needsScript")}</p></noscript>`

/** The button is disabled until the script runs: without it, nothing could be sent. */
export const form = ({ language }: Surroundings, it: Form): Html => {
  const actions = typeof it.action === "string" ? it.action : it.action.join(" ")
  return html`<form
      class="form"
      method="post"
      data-form="${actions}"
      data-kind="${it.kind ?? "send"}"
      data-done="${it.done}"
      ${attribute("data-refused", it.refused)}
    >
      ${Object.entries(it.hidden ?? {}).map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}" />`)}
      ${it.fields?.map(input)}
      <p class="outcome" role="status" aria-live="polite" tabindex="-1"></p>
      <button class="button" type="submit" disabled>${it.button}</button>
    </form>
    ${it.next !== undefined && html`<p class="after" hidden><a class="button" href="${it.next.path}">${it.next.label}</a></p>`}
    ${needsScript({ language })}`
}

/** A page with one form. Search engines do not index it. */
export const formPage = (
  surroundings: Surroundings,
  page: { readonly title: string; readonly text: ReadonlyArray<string>; readonly form?: Html; readonly below?: Html }
): Html =>
  layout(surroundings, {
    title: page.title,
    entry: "site",
    head: noIndex,
    body: html`<div class="panel">
      <h1>${page.title}</h1>
      ${page.text.map((text) => html`<p>${text}</p>`)} ${page.form} ${page.below}
    </div>`
  })
