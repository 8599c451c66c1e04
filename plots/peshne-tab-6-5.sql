-- Copy of a block from host to GPU: time in µs, measured and published
SELECT p.block_elements AS elements,
       round(1e6 * max(time_s) FILTER (WHERE variant = 'pinned'), 2) AS "pinned", round(1e6 * pinned_s, 2) AS "pinned, thesis",
       round(1e6 * max(time_s) FILTER (WHERE variant = 'pageable'), 2) AS "pageable", round(1e6 * pageable_s, 2) AS "pageable, thesis"
FROM peshne_tab_6_5 p LEFT JOIN pinning_copy_median m ON m.block_elements = p.block_elements AND direction = 'h2d'
GROUP BY p.rowid;
