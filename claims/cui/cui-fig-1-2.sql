-- PCIe generations: bandwidth of a x16 slot from version 1.0 to 4.0.
SELECT id, measured, bound, 'waived' AS ok,
       'quoted data, nothing is measured here; it ' ||
       CASE ok WHEN 1 THEN 'agrees with the claim' WHEN 0 THEN 'does not agree with the claim'
               ELSE 'is too little to tell' END AS reason
FROM (
    SELECT 'cui-c-006' AS id,
           printf('%.2fx in %d years', ratio, years) AS measured,
           '8x +- 0.2 in 14 years' AS bound,
           abs(ratio - 8) < 0.2 AND years = 14 AS ok,
           'transcribed data, not measured here' AS reason
    FROM (SELECT last.x16_gb_s * 1.0 / first.x16_gb_s AS ratio,
                 last.release_year - first.release_year AS years
          FROM cui_fig_1_2 AS first, cui_fig_1_2 AS last
          WHERE first.pcie_version = 1 AND last.pcie_version = 4)
);
