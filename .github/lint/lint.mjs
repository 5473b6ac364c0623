// Checks workflows: GitHub's own parser for syntax, expressions, permissions and contexts, and then our rules.
// node lint.mjs FOLDER; exit code 1 if there is anything to say.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { validate } from "@actions/languageservice";
import { TextDocument } from "vscode-languageserver-textdocument";
import { parse } from "yaml";

const PINNED = /^\s*-?\s*uses:\s*[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

async function faults(path) {
  const text = readFileSync(path, "utf8");
  const found = [];
  const document = TextDocument.create(`file://${path}`, "yaml", 1, text);
  for (const { message, range } of await validate(document)) {
    found.push([range.start.line + 1, message]);
  }
  text.split("\n").forEach((line, index) => {
    if (/^\s*-?\s*uses:/.test(line) && !PINNED.test(line)) {
      found.push([index + 1, "an action is pinned by its commit, with its version as a comment"]);
    }
  });
  const workflow = parse(text);
  if (JSON.stringify(workflow.permissions) !== '{"contents":"read"}') {
    found.push([1, "a workflow has 'permissions: {contents: read}'; a job that needs more says so itself"]);
  }
  for (const [name, job] of Object.entries(workflow.jobs ?? {})) {
    if (!job["timeout-minutes"]) {
      found.push([1, `job ${name} has no timeout-minutes`]);
    }
    for (const step of job.steps ?? []) {
      if (step.uses?.startsWith("actions/checkout@") && step.with?.["persist-credentials"] !== false) {
        found.push([1, `job ${name} leaves the token behind: persist-credentials is not false`]);
      }
      if (/\$\{\{\s*(github\.event|github\.head_ref|inputs)/.test(step.run ?? "")) {
        found.push([1, `job ${name} puts text of others into a script: pass it through env`]);
      }
    }
  }
  return found;
}

const folder = process.argv[2];
const files = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
let count = 0;
for (const file of files) {
  for (const [line, message] of await faults(join(folder, file))) {
    console.error(`${file}:${line}: ${message}`);
    count++;
  }
}
console.log(`${files.length} workflows, ${count} faults`);
process.exit(count === 0 && files.length > 0 ? 0 : 1);
