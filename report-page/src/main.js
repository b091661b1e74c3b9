// The page's document decides what it is: a report on intervals or on sets, or a page of charts.
import { showCharts } from "./chart_page.js";
import { showReport } from "./report.js";
import { showSetReport } from "./sets/report.js";

const document_ = JSON.parse(document.getElementById("document").textContent);
const show = { charts: showCharts, sets: showSetReport };
(show[document_.kind] ?? showReport)(document_);
