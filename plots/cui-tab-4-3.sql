-- Loops whose data is larger than the device memory they may use: time in s here, on a second machine, and in the thesis (16 GB, larger data)
WITH names(place, version, variant) AS (VALUES (1, 'blp', 'blp-buffer'), (2, 'UM', 'um-prefetch')),
nodes AS (SELECT 1 AS node, variant, benchmark, time_s, budget_bytes, footprint_bytes FROM blp_oversubscribed_median
          UNION ALL SELECT 2, variant, benchmark, time_s, budget_bytes, footprint_bytes FROM partner_blp_oversubscribed_median),
run AS (
    SELECT variant, max(iif(node = 1 AND benchmark = 'conv2d', time_s, NULL)) AS conv2d, max(iif(node = 2 AND benchmark = 'conv2d', time_s, NULL)) AS conv2d_2,
           max(iif(node = 1 AND benchmark = 'atax', time_s, NULL)) AS atax, max(iif(node = 2 AND benchmark = 'atax', time_s, NULL)) AS atax_2
    FROM nodes WHERE variant <> 'blp-buffer' OR abs(1.0 * budget_bytes / footprint_bytes - iif(benchmark = 'atax', 0.25, 0.14)) < 0.05 GROUP BY variant)
SELECT variant AS version, printf('%.3g', conv2d) AS "2dconv", iif(conv2d_2, printf('%.3g', conv2d_2), NULL) AS "2dconv, second machine",
       printf('%.2f', "2dconv_nvlink_s") AS "2dconv NVLink2, thesis", printf('%.2f', "2dconv_pci_e_s") AS "2dconv PCI-E, thesis",
       printf('%.3g', atax) AS "atax", iif(atax_2, printf('%.3g', atax_2), NULL) AS "atax, second machine",
       printf('%.2f', atax_nvlink_s) AS "atax NVLink2, thesis", printf('%.2f', atax_pci_e_s) AS "atax PCI-E, thesis"
FROM names LEFT JOIN run USING (variant) JOIN cui_tab_4_3 USING (version) ORDER BY place;
