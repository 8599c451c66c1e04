-- A result that the thesis cites from others, of hardware that is no GPU.
SELECT 'cui-c-024' AS id, printf('no spatial architecture among the devices here (%s)', max(value)) AS measured, '> 10 times' AS bound, 'waived' AS ok,
       'cited from others: gRNA searches on FPGAs and automata processors, which no program of this suite uses' AS reason
FROM machine WHERE name = 'device0_name' HAVING count(*) > 0;
