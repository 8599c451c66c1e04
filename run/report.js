"use strict";

/* Sorts a table by the column whose head is clicked; numbers by value, the rest as text. */
function makeSortable(table) {
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    const sortBy = (head, column) => {
        const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        heads.forEach((other) => other.setAttribute("aria-sort", "none"));
        head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
        [...body.rows]
            .sort((a, b) => direction * a.cells[column].textContent.localeCompare(
                b.cells[column].textContent, "en", { numeric: true }))
            .forEach((row) => body.append(row));
    };
    heads.forEach((head, column) => {
        head.setAttribute("aria-sort", "none");
        head.tabIndex = 0;
        head.addEventListener("click", () => sortBy(head, column));
        head.addEventListener("keydown", (event) => {
            if (event.key === "Enter")
                sortBy(head, column);
        });
    });
}

/* Shows the rows of the verdict table that have the verdict and the text. */
function makeFilter(section) {
    const verdict = section.querySelector("select");
    const text = section.querySelector("input");
    const count = section.querySelector("output");
    const rows = [...section.querySelector("tbody").rows];
    const apply = () => {
        const wanted = text.value.toLowerCase();
        for (const row of rows)
            row.hidden = !((!verdict.value || row.cells[0].textContent === verdict.value) &&
                           row.textContent.toLowerCase().includes(wanted));
        count.value = rows.filter((row) => !row.hidden).length + " of " + rows.length;
    };
    verdict.addEventListener("change", apply);
    text.addEventListener("input", apply);
    section.querySelector(".filter").hidden = false;
    apply();
}

document.querySelectorAll("table.sortable").forEach(makeSortable);
makeFilter(document.getElementById("verdicts"));
