-- Energy figures quoted in chapter 1 (no figure, nothing to measure): arithmetic only.
SELECT id, measured, bound, 'waived' AS ok,
       'quoted data, nothing is measured here; it ' ||
       CASE ok WHEN 1 THEN 'agrees with the claim' WHEN 0 THEN 'does not agree with the claim'
               ELSE 'is too little to tell' END AS reason
FROM (
    SELECT 'fanfarillo-c-007' AS id,
           printf('%.2f nJ', 17.8e6 / 33.863e15 * 1e9) AS measured,
           '1 nJ to the nearest power of ten' AS bound,
           round(log10(17.8e6 / 33.863e15)) = -9 AS ok,
           'quoted figures, not measured here; the quotient is about half of 1 nJ' AS reason
    UNION ALL
    SELECT 'fanfarillo-c-008', printf('%.3g W', 1e-9 * 1e18), '1e+09 W +- 0.1 %',
           abs(1e-9 * 1e18 / 1e9 - 1) < 0.001, 'quoted figures, not measured here'
    UNION ALL
    SELECT 'fanfarillo-c-009', printf('%.3g pJ', 20e6 / 1e18 * 1e12), '20 pJ +- 0.1 %',
           abs(20e6 / 1e18 / 20e-12 - 1) < 0.001, 'quoted figures, not measured here'
    UNION ALL
    SELECT 'fanfarillo-c-010', printf('%.0fx (2000 pJ against 100 pJ)', 2000.0 / 100), '> 1',
           2000.0 / 100 > 1, 'quoted figures, not measured here'
    UNION ALL
    SELECT 'fanfarillo-c-011', '1000, 70, 40 pJ', 'falling', 1000 > 70 AND 70 > 40,
           'quoted figures, not measured here'
    UNION ALL
    SELECT 'fanfarillo-c-012', printf('at least %.0fx (30 pJ against 10 pJ)', 30.0 / 10), '>= 1',
           30.0 / 10 >= 1, 'quoted figures, not measured here'
);
