// The language service is made for bundlers and imports JSON as they do, without saying that it is JSON.
import { register } from "node:module";

const hooks = `
  export async function load(url, context, next) {
    if (!url.endsWith(".json")) return next(url, context);
    return next(url, { ...context, format: "json", importAttributes: { type: "json" } });
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
