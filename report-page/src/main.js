// The page's document decides what it is: a report or a page of charts.
import { showCharts } from "./chart_page.js";
import { showReport } from "./report.js";

const document_ = JSON.parse(document.getElementById("document").textContent);
(document_.kind === "charts" ? showCharts : showReport)(document_);
