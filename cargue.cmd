@echo off
rem Double-click on Windows: opens the page of cargue. With words, the command: cargue.cmd check nomina.xlsx
chcp 65001 >nul
title cargue

set "NODE=node"
if exist "%~dp0node\node.exe" set "NODE=%~dp0node\node.exe"
"%NODE%" -e "const [a, b] = process.versions.node.split('.').map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)" 2>nul
if errorlevel 1 goto nonode

rem A fresh clone is not built yet.
if exist "%~dp0dist\cli\main.js" goto start
"%NODE%" "%~dp0src\setup.mjs"
if errorlevel 1 goto failed

:start
if not "%~1"=="" goto words
"%NODE%" "%~dp0dist\cli\main.js" web
if errorlevel 1 goto failed
exit /b 0

:words
"%NODE%" "%~dp0dist\cli\main.js" %*
exit /b %errorlevel%

:nonode
echo cargue necesita Node 20.19 o posterior, que no está en este equipo.
echo Descárguelo de https://nodejs.org (el que dice LTS), instálelo y abra este archivo otra vez.
echo.
echo cargue needs Node 20.19 or newer, which is not on this machine.
echo Get it from https://nodejs.org (the one that says LTS), install it and open this file again.

:failed
echo.
echo Pulse una tecla para cerrar. / Press a key to close.
pause >nul
exit /b 1
