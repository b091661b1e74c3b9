// Bundles the page and writes it as a C++ file: node build.mjs NODE_MODULES PAGE.cpp
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, output] = process.argv.slice(2);
const source = join(dirname(fileURLToPath(import.meta.url)), "src");
const { build } = createRequire(join(modules, "page.js"))("esbuild");

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(source, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2020",
    charset: "ascii",
    legalComments: "none",
    nodePaths: [modules],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

function licence(name) {
  const { version, license } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
  return `${name} ${version} (${license})`;
}

// Characters other than plain ones as octal escapes, which end after three digits; "??" might begin a trigraph.
function literal(text) {
  const bytes = Buffer.from(text, "utf8");
  const lines = [];
  for (let begin = 0; begin < bytes.length; begin += 4000) {
    let line = "";
    for (const byte of bytes.subarray(begin, begin + 4000)) {
      const plain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92 && byte !== 63;
      line += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
    }
    lines.push(`    "${line}"`);
  }
  return `std::string_view(\n${lines.join("\n") || '    ""'},\n    ${bytes.length})`;
}

const script = await bundle("main.js");
const style = await bundle("style/page.css");
for (const [name, text] of Object.entries({ script, style })) {
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`the ${name} would end its own element in the page`);
}
const parts = {
  report: readFileSync(join(source, "report.html"), "utf8"),
  charts: readFileSync(join(source, "charts.html"), "utf8"),
  script,
  script_hash: `sha256-${createHash("sha256").update(script, "utf8").digest("base64")}`,
  style,
  licences: ["echarts", "zrender", "tslib"].map(licence).join(", "),
  missing_because: "",
};
const fields = Object.entries(parts).map(([name, text]) => `      .${name} = ${literal(text)}`);
// The standard asks compilers for literals of 65,536 characters. All take more, but clang warns.
const begin = '#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "-Woverlength-strings"\n';
const end = "#pragma GCC diagnostic pop\n";
writeFileSync(
  output,
  `#include <taut/report/page.hpp>\n\n${begin}\nnamespace taut {\n\nconst PageAssets& page_assets() {\n` +
    `  static const PageAssets assets{\n${fields.join(",\n")}};\n  return assets;\n}\n\n}  // namespace taut\n\n${end}`,
);
