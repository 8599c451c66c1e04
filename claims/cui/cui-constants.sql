-- Numbers that chapter 1 prints.
SELECT iif(device = 'Tesla S1070', 'cui-c-002', 'cui-c-003') AS id, peak_fp64_gflops AS value, NULL AS low, NULL AS high,
       'GFLOP/s of the ' || device AS words
FROM cui_fig_1_1 WHERE device IN ('Tesla S1070', 'Tesla V100')
UNION ALL
SELECT 'cui-c-004', 1.0 * max(peak_fp64_gflops) / min(peak_fp64_gflops), NULL, NULL, 'Tesla V100 / Tesla S1070' FROM cui_fig_1_1;

WITH ends AS (
    SELECT 1.0 * max(x16_gb_s) / min(x16_gb_s) AS growth, max(release_year) - min(release_year) AS years FROM cui_fig_1_2)
SELECT 'cui-c-006/growth' AS id, growth AS value, NULL AS low, NULL AS high, 'PCIe 4.0 / 1.0' AS words FROM ends
UNION ALL
SELECT 'cui-c-006/years', years, NULL, NULL, 'between them' FROM ends
UNION ALL
SELECT 'cui-c-009', pow(1.0 * max(peak_fp64_gflops) / min(peak_fp64_gflops), 1.0 / 10) / pow(growth, 1.0 / years), NULL, NULL,
       'growth per year of FP64 peak / of PCIe'
FROM cui_fig_1_1, ends;

SELECT 'cui-c-007/values' AS id, count(x1_mb_s) + count(x4_gb_s) + count(x8_gb_s) + count(x16_gb_s) AS value, NULL AS low,
       NULL AS high, '' AS words
FROM cui_fig_1_3
UNION ALL
SELECT 'cui-c-007/lanes', value, NULL, NULL, 'rate per lane of version ' || pcie_version || ' / that with fewer lanes'
FROM (SELECT pcie_version, 250.0 * x4_gb_s / x1_mb_s AS value FROM cui_fig_1_3
      UNION ALL SELECT pcie_version, 0.5 * x8_gb_s / x4_gb_s FROM cui_fig_1_3
      UNION ALL SELECT pcie_version, 0.5 * x16_gb_s / x8_gb_s FROM cui_fig_1_3)
UNION ALL
SELECT 'cui-c-008', 1.0 * n.x16_gb_s / t.x16_gb_s, NULL, NULL, printf('PCIe %.1f / %.1f', n.pcie_version, t.pcie_version)
FROM cui_fig_1_3 AS t JOIN cui_fig_1_3 AS n ON n.pcie_version = t.pcie_version + 1;
