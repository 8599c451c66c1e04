-- PCIe bandwidth by version and lane count: lanes scale, each version doubles the one before.
SELECT id, measured, bound, 'waived' AS ok,
       'quoted data, nothing is measured here; it ' ||
       CASE ok WHEN 1 THEN 'agrees with the claim' WHEN 0 THEN 'does not agree with the claim'
               ELSE 'is too little to tell' END AS reason
FROM (
    SELECT 'cui-c-007' AS id,
           printf('%d values, off by at most %.2f %% from x4, x2, x2', cells, 100 * off) AS measured,
           '16 values, at most 1 %' AS bound,
           cells = 16 AND off <= 0.01 AS ok,
           'transcribed data, not measured here' AS reason
    FROM (SELECT count(x1_mb_s) + count(x4_gb_s) + count(x8_gb_s) + count(x16_gb_s) AS cells,
                 max(max(abs(1000.0 * x4_gb_s / x1_mb_s / 4 - 1),
                         abs(1.0 * x8_gb_s / x4_gb_s / 2 - 1),
                         abs(1.0 * x16_gb_s / x8_gb_s / 2 - 1))) AS off
          FROM cui_fig_1_3)
);

SELECT id, measured, bound, 'waived' AS ok,
       'quoted data, nothing is measured here; it ' ||
       CASE ok WHEN 1 THEN 'agrees with the claim' WHEN 0 THEN 'does not agree with the claim'
               ELSE 'is too little to tell' END AS reason
FROM (
    SELECT 'cui-c-008' AS id,
           group_concat(printf('%.2f', ratio), ', ') AS measured,
           'each in 1.95..2.05' AS bound,
           count(*) = 3 AND min(ratio) >= 1.95 AND max(ratio) <= 2.05 AS ok,
           'transcribed data, not measured here' AS reason
    FROM (SELECT 1.0 * next.x16_gb_s / this.x16_gb_s AS ratio
          FROM cui_fig_1_3 AS this JOIN cui_fig_1_3 AS next ON next.pcie_version = this.pcie_version + 1
          ORDER BY this.pcie_version)
);
