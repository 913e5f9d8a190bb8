/**
 * What the reference page runs in the browser: it reads the OpenAPI document and lists operations by tag and errors by
 * code, under the anchors that problem documents name (`#operation/<id>`, `#section/Errors/<code>`). Text only becomes
 * text: nothing of the document is read as HTML.
 */
export const referenceScript = `"use strict";
const el = (name, attributes, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  for (const child of children.flat(Infinity)) if (child !== undefined && child !== null) node.append(child);
  return node;
};
const methods = ["get", "post", "put", "patch", "delete"];
const main = document.querySelector("main");
const nav = document.querySelector("nav");
let api;
const resolve = (schema) => {
  if (!schema || !schema.$ref) return schema;
  return schema.$ref.split("/").slice(1).reduce((at, key) => at && at[key.replace(/~1/g, "/").replace(/~0/g, "~")], api);
};
const named = (schema) => schema && schema.$ref ? schema.$ref.split("/").pop() : undefined;
const typeOf = (schema) => {
  if (!schema || typeof schema !== "object") return "any";
  const name = named(schema);
  if (name) return name;
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const some = schema.anyOf || schema.oneOf;
  if (some) return [...new Set(some.map(typeOf))].join(" | ");
  if (schema.type === "array") return typeOf(schema.items) + "[]";
  const type = Array.isArray(schema.type) ? schema.type.join(" | ") : schema.type || "any";
  const bounds = [];
  for (const [key, label] of [["minimum", "≥ "], ["maximum", "≤ "], ["minLength", "length ≥ "], ["maxLength", "length ≤ "], ["pattern", "matches "], ["format", ""], ["default", "default "]]) {
    if (schema[key] !== undefined && Math.abs(schema[key]) !== Number.MAX_SAFE_INTEGER) bounds.push(label + (typeof schema[key] === "object" ? JSON.stringify(schema[key]) : schema[key]));
  }
  return type + (bounds.length ? " (" + bounds.join(", ") + ")" : "");
};
const fields = (schema, depth) => {
  const real = resolve(schema);
  if (!real || depth > 4) return undefined;
  if (real.type === "array") return fields(real.items, depth);
  const parts = real.allOf || real.anyOf || real.oneOf;
  if (!real.properties && parts) return parts.map((part) => fields(part, depth)).filter(Boolean);
  if (!real.properties) return undefined;
  const required = new Set(real.required || []);
  return el("ul", { class: "fields" }, Object.entries(real.properties).map(([key, value]) => {
    const label = [el("code", {}, key), " ", el("span", { class: "type" }, typeOf(value) + (required.has(key) ? "" : ", optional"))];
    if (value.description) label.push(" — " + value.description);
    const target = resolve(value.type === "array" ? value.items : value);
    const parts = target && (target.anyOf || target.oneOf || target.allOf) || [];
    if (!target || !(target.properties || parts.some((part) => (resolve(part) || {}).properties))) return el("li", {}, label);
    const more = el("details", {}, el("summary", {}, label));
    more.addEventListener("toggle", () => { if (more.open && more.children.length === 1) more.append(...[fields(value, depth + 1)].flat().filter(Boolean)); });
    return el("li", {}, more);
  }));
};
const bodyOf = (content) => Object.entries(content || {}).map(([type, { schema }]) => el("div", {}, el("code", {}, type), " ", el("span", { class: "type" }, typeOf(schema)), fields(schema, 0)));
const operation = (path, method, op) => {
  const parameters = (op.parameters || []).map((one) => el("tr", {}, el("td", {}, el("code", {}, one.name)), el("td", {}, one.in), el("td", { class: "type" }, typeOf(one.schema)), el("td", {}, (one.required ? "required. " : "") + (one.description || ""))));
  return el("article", { id: "operation/" + op.operationId, class: op.deprecated ? "deprecated" : "" },
    el("h3", {}, el("a", { href: "#operation/" + op.operationId }, el("b", { class: "method " + method }, method.toUpperCase()), " ", el("code", {}, path))),
    el("p", {}, op.summary || op.operationId, op.deprecated ? el("i", {}, " · deprecated") : undefined),
    op.description ? el("p", { class: "who" }, op.description) : undefined,
    parameters.length ? el("table", {}, el("tbody", {}, parameters)) : undefined,
    op.requestBody ? el("section", {}, el("h4", {}, "Body"), bodyOf(op.requestBody.content)) : undefined,
    el("section", {}, el("h4", {}, "Answers"), Object.entries(op.responses || {}).map(([status, response]) => el("details", {}, el("summary", {}, el("b", {}, status), " " + (response.description || "")), bodyOf(response.content)))));
};
const render = () => {
  document.querySelector("h1").textContent = api.info.title + " API " + api.info.version;
  const byTag = new Map((api.tags || []).map((tag) => [tag.name, { about: tag.description, list: [] }]));
  const codes = new Map();
  for (const [path, item] of Object.entries(api.paths)) for (const method of methods) {
    const op = item[method];
    if (!op) continue;
    const tag = (op.tags || ["Other"])[0];
    if (!byTag.has(tag)) byTag.set(tag, { list: [] });
    byTag.get(tag).list.push([path, method, op]);
    for (const [status, response] of Object.entries(op.responses || {})) {
      const at = (response.description || "").indexOf(": ");
      if (at === -1 || status < 400) continue;
      for (const code of response.description.slice(at + 2).split(", ")) {
        if (!/^[A-Za-z_]+$/.test(code)) continue;
        if (!codes.has(code)) codes.set(code, { status, list: [] });
        codes.get(code).list.push(op.operationId);
      }
    }
  }
  const sections = [];
  for (const [tag, { about, list }] of byTag) {
    if (!list.length) continue;
    nav.append(el("details", {}, el("summary", {}, tag), el("ul", {}, list.map(([path, method, op]) => el("li", { "data-text": (method + " " + path + " " + op.operationId).toLowerCase() }, el("a", { href: "#operation/" + op.operationId }, el("b", { class: "method " + method }, method.toUpperCase()), " " + path))))));
    sections.push(el("section", { id: "tag/" + tag }, el("h2", {}, tag), about && about !== tag ? el("p", {}, about) : undefined, list.map((one) => operation(...one))));
  }
  const errors = el("section", { id: "section/Errors" }, el("h2", {}, "Errors"), el("p", {}, "An error is an application/problem+json document (RFC 9457). Its type is about:blank or ends in one of these codes; invalid-params names every refused field."),
    [...codes].sort().map(([code, { status, list }]) => el("article", { id: "section/Errors/" + code }, el("h3", {}, el("a", { href: "#section/Errors/" + code }, el("code", {}, code)), " " + status), el("p", {}, list.map((id, i) => [i ? ", " : "", el("a", { href: "#operation/" + id }, id)])))));
  nav.append(el("a", { href: "#section/Errors" }, "Errors"));
  main.replaceChildren(...sections, errors);
  show();
};
const show = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target) target.scrollIntoView();
};
addEventListener("hashchange", show);
document.querySelector("input").addEventListener("input", (event) => {
  const wanted = event.target.value.trim().toLowerCase();
  for (const group of nav.querySelectorAll("details")) {
    let any = false;
    for (const item of group.querySelectorAll("li")) { item.hidden = !item.dataset.text.includes(wanted); any ||= !item.hidden; }
    group.hidden = !any;
    group.open = any && wanted !== "";
  }
});
fetch("/api/v1/openapi.json").then((response) => response.json()).then((document) => { api = document; render(); }, () => { main.textContent = "The description of the API could not be read."; });
`
