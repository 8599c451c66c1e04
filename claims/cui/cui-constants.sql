-- Numbers that chapter 1 prints. Columns here and in the other files: id, value, low, high, words.
SELECT iif(device = 'Tesla S1070', 'cui-c-002', 'cui-c-003'), peak_fp64_gflops, NULL, NULL, 'GFLOP/s of the ' || device
FROM cui_fig_1_1 WHERE device IN ('Tesla S1070', 'Tesla V100');

WITH peak AS (SELECT 1.0 * max(peak_fp64_gflops) / min(peak_fp64_gflops) AS growth FROM cui_fig_1_1),
link AS (SELECT 1.0 * max(x16_gb_s) / min(x16_gb_s) AS growth, max(release_year) - min(release_year) AS years
         FROM cui_fig_1_2)
SELECT 'cui-c-004', growth, NULL, NULL, 'Tesla V100 / Tesla S1070' FROM peak
UNION ALL
SELECT 'cui-c-006/growth', growth, NULL, NULL, 'PCIe 4.0 / 1.0' FROM link
UNION ALL
SELECT 'cui-c-006/years', years, NULL, NULL, 'between them' FROM link
UNION ALL
SELECT 'cui-c-009', pow(peak.growth, 1.0 / 10) / pow(link.growth, 1.0 / years), NULL, NULL,
       'growth per year of FP64 peak / of PCIe'
FROM peak, link;

SELECT 'cui-c-007/values', count(x1_mb_s) + count(x4_gb_s) + count(x8_gb_s) + count(x16_gb_s), NULL, NULL, ''
FROM cui_fig_1_3
UNION ALL
SELECT 'cui-c-007/lanes', column1, NULL, NULL, 'rate per lane / that with fewer lanes'
FROM (SELECT 250.0 * x4_gb_s / x1_mb_s AS column1 FROM cui_fig_1_3
      UNION ALL SELECT 0.5 * x8_gb_s / x4_gb_s FROM cui_fig_1_3
      UNION ALL SELECT 0.5 * x16_gb_s / x8_gb_s FROM cui_fig_1_3)
UNION ALL
SELECT 'cui-c-008', 1.0 * n.x16_gb_s / t.x16_gb_s, NULL, NULL,
       printf('PCIe %.1f / %.1f', n.pcie_version, t.pcie_version)
FROM cui_fig_1_3 AS t JOIN cui_fig_1_3 AS n ON n.pcie_version = t.pcie_version + 1;
